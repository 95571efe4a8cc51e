import { applyEdits, findMembers } from '../body-members.ts';
import { estimateTokens } from '../estimated-usage.ts';
import type { JsonObject, ModelRequest, ReceivedRequest } from '../model-request.ts';
import type { ModelOperation } from '../operation.ts';
import { appendQuery } from '../query.ts';
import { keepReadableUsage } from '../readable-usage.ts';
import { type DocumentHandler, JsonDocumentReader } from '../readers/json-document-reader.ts';
import { ResponseFacts, isJsonObject } from '../readers/response-facts.ts';
import { readModelName } from '../request-fields.ts';
import { readErrorType } from './error-type.ts';
import { renameModel } from '../model-name.ts';

/** `POST /v1/embeddings` of OpenAI and of compatible servers. */
export const embeddings: ModelOperation = {
  name: 'openai.embeddings',
  format: 'openai',
  telemetryName: 'embeddings',
  isMetered: true,

  readRequest(received: ReceivedRequest): ModelRequest {
    const { bytes, body } = received;
    const members = findMembers(received, ['model', 'input']);
    return {
      received,
      model: readModelName(body),
      isStream: false,
      estimate: { promptTokens: countTokens(body['input']) ?? estimateTokens(bytes.length), maxOutputTokens: 0 },
      members,
    };
  },

  createPath: ({ received }) => appendQuery('/embeddings', received.query),

  createBody: (request, model) => applyEdits(request.received.bytes, renameModel(request, model)),

  createReader: () => new JsonDocumentReader(new EmbeddingsDocument()),
};

/** Counts the tokens of an input that is a list of them, or several lists; undefined for texts. */
function countTokens(input: unknown): number | undefined {
  if (!Array.isArray(input) || input.length === 0) return undefined;
  if (typeof input[0] === 'number') return input.length;
  if (!input.every((item): item is unknown[] => Array.isArray(item))) return undefined;
  return input.reduce<number>((sum, item) => sum + item.length, 0);
}

class EmbeddingsDocument implements DocumentHandler {
  readonly report = new ResponseFacts();
  readonly generatesText = false;
  readonly lastMembers = ['usage', 'model', 'error'];

  readDocument({ usage, model, error }: JsonObject): void {
    if (isJsonObject(usage)) this.report.setUsage(keepReadableUsage('openai', usage));
    this.report.setNames(model, undefined);
    if (isJsonObject(error)) this.report.setFailure(readErrorType(error));
  }
}
