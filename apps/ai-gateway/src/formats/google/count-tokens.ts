import type { ModelOperation } from '../operation.ts';
import { JsonDocumentReader } from '../readers/json-document-reader.ts';
import { UnmeteredDocument } from '../readers/unmetered-document.ts';
import { readModelRequest } from './generation-request.ts';
import { createModelPath } from './model-path.ts';
import { createBody } from './renamed-body.ts';

/** `POST /v1beta/models/{model}:countTokens` of the Gemini API, which is free. */
export const countContentTokens: ModelOperation = {
  name: 'google.count_tokens',
  format: 'google',
  telemetryName: 'count_tokens',
  isMetered: false,
  readRequest: (received) => ({ ...readModelRequest(received), estimate: { promptTokens: 0 } }),
  createPath: (request, model) => createModelPath(request, model, 'countTokens'),
  createBody,
  createReader: () => new JsonDocumentReader(new UnmeteredDocument()),
};
