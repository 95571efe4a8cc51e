import type { JsonObject } from '../model-request.ts';
import type { ModelOperation } from '../operation.ts';
import { keepReadableUsage } from '../readable-usage.ts';
import { type DocumentHandler, JsonDocumentReader } from '../readers/json-document-reader.ts';
import { ResponseFacts, isJsonObject } from '../readers/response-facts.ts';
import { readModelRequest } from './generation-request.ts';
import { createModelPath } from './model-path.ts';
import { createBody } from './renamed-body.ts';

/**
 * Reads the vectors of `embedContent` and `batchEmbedContents`. Newer models report
 * `usageMetadata`; the usage of the others is estimated.
 */
class EmbeddingDocument implements DocumentHandler {
  readonly report = new ResponseFacts();
  readonly generatesText = false;
  readonly lastMembers = ['usageMetadata'];

  readDocument({ usageMetadata }: JsonObject): void {
    if (isJsonObject(usageMetadata)) this.report.setUsage(keepReadableUsage('google', usageMetadata));
  }
}

function createOperation(name: string, method: string): ModelOperation {
  return {
    name,
    format: 'google',
    telemetryName: 'embeddings',
    isMetered: true,
    readRequest(received) {
      const { estimate, ...request } = readModelRequest(received);
      return { ...request, estimate: { ...estimate, maxOutputTokens: 0 } };
    },
    createPath: (request, model) => createModelPath(request, model, method),
    createBody,
    createReader: () => new JsonDocumentReader(new EmbeddingDocument()),
  };
}

/** `POST /v1beta/models/{model}:embedContent` of the Gemini API. */
export const embedContent = createOperation('google.embed_content', 'embedContent');

/** `POST /v1beta/models/{model}:batchEmbedContents` of the Gemini API, which the SDKs call. */
export const batchEmbedContents = createOperation('google.batch_embed_contents', 'batchEmbedContents');
