import { countPrompt, countTokens } from './answer.ts';
import { parseGoogle } from './google-fields.ts';
import { readContents } from './google-generate.ts';
import { batchEmbedSchema, countTokensSchema, embedSchema, type GoogleContent } from './google-schemas.ts';
import { VendorRefusal } from './refusal.ts';
import type { VendorOperation } from './reply.ts';
import { createVector } from './vector.ts';

/** `POST /v1beta/models/{model}:countTokens`. */
export const countContent: VendorOperation = ({ body, directives }) => {
  const { contents, generateContentRequest } = parseGoogle(countTokensSchema, body);
  const request = generateContentRequest ?? (contents === undefined ? undefined : { contents });
  if (request === undefined)
    throw new VendorRefusal(400, 'INVALID_ARGUMENT', '* CountTokensRequest.contents: contents is not specified');
  const totalTokens = directives.input ?? countPrompt(readContents(request));
  return { kind: 'json', body: { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] } };
};

/** `POST /v1beta/models/{model}:embedContent`. */
export const embedContent: VendorOperation = ({ body, directives }) => {
  const { content, outputDimensionality } = parseGoogle(embedSchema, body);
  const usage = createUsage([content], directives.input);
  const embedding = createEmbedding(content, outputDimensionality);
  return { kind: 'json', body: { embedding, ...(directives.usage !== 'none' && { usageMetadata: usage }) }, usage };
};

/** `POST /v1beta/models/{model}:batchEmbedContents`. */
export const embedContents: VendorOperation = ({ body, record, directives }) => {
  const { requests } = parseGoogle(batchEmbedSchema, body);
  const other = requests.find(({ model }) => model !== `models/${record.model}`);
  if (other !== undefined)
    throw new VendorRefusal(
      400,
      'INVALID_ARGUMENT',
      `* BatchEmbedContentsRequest.requests: model ${other.model} differs`,
    );
  const contents = requests.map(({ content }) => content);
  const usage = createUsage(contents, directives.input);
  const embeddings = requests.map(({ content, outputDimensionality }) =>
    createEmbedding(content, outputDimensionality),
  );
  return { kind: 'json', body: { embeddings, ...(directives.usage !== 'none' && { usageMetadata: usage }) }, usage };
};

const readText = ({ parts }: GoogleContent): string => parts.flatMap(({ text }) => text ?? []).join(' ');

const createEmbedding = (content: GoogleContent, dimensions?: number) => ({
  values: createVector(readText(content), dimensions),
});

function createUsage(contents: readonly GoogleContent[], input: number | undefined) {
  const promptTokenCount = input ?? contents.reduce((sum, content) => sum + countTokens(readText(content)), 0);
  return {
    promptTokenCount,
    totalTokenCount: promptTokenCount,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: promptTokenCount }],
  };
}
