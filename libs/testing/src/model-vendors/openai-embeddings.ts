import { countTokens } from './answer.ts';
import { embeddingSchema } from './openai-schemas.ts';
import { refuseField } from './openai-usage.ts';
import type { VendorOperation } from './reply.ts';
import { parseWith } from './schema.ts';
import { createVector } from './vector.ts';

/** `POST /v1/embeddings`. */
export const createEmbeddings =
  (requireModel: (model: string) => string): VendorOperation =>
  ({ body, record, directives }) => {
    const request = parseWith(embeddingSchema, body, refuseField);
    record.model = requireModel(request.model);
    const inputs = listInputs(request.input);
    const counted = inputs.reduce((sum, input) => sum + input.tokens, 0);
    const prompt_tokens = directives.input ?? counted;
    const usage = { prompt_tokens, total_tokens: prompt_tokens };
    const data = inputs.map(({ text }, index) => {
      const vector = createVector(text, request.dimensions);
      const embedding = request.encoding_format === 'base64' ? encodeVector(vector) : vector;
      return { object: 'embedding', index, embedding };
    });
    const answer = { object: 'list', data, model: directives.served ?? request.model };
    return { kind: 'json', body: directives.usage === 'none' ? answer : { ...answer, usage }, usage };
  };

const listInputs = (input: string | string[] | number[] | number[][]): { text: string; tokens: number }[] => {
  if (typeof input === 'string') return [{ text: input, tokens: countTokens(input) }];
  if (typeof input[0] === 'number') return [{ text: input.join(), tokens: input.length }];
  return (input as (string | number[])[]).map((one) =>
    typeof one === 'string' ? { text: one, tokens: countTokens(one) } : { text: one.join(), tokens: one.length },
  );
};

const encodeVector = (vector: readonly number[]): string =>
  Buffer.from(new Float32Array(vector).buffer).toString('base64');
