import type { ModelOperation } from '../operation.ts';
import { JsonDocumentReader } from '../readers/json-document-reader.ts';
import { GenerationDocument } from './generation-document.ts';
import { readGenerationRequest } from './generation-request.ts';
import { createModelPath } from './model-path.ts';
import { createBody } from './renamed-body.ts';

/** `POST /v1beta/models/{model}:generateContent` of the Gemini API. */
export const generateContent: ModelOperation = {
  name: 'google.generate_content',
  format: 'google',
  telemetryName: 'generate_content',
  isMetered: true,
  readRequest: (received) => readGenerationRequest(received, false),
  createPath: (request, model) => createModelPath(request, model, 'generateContent'),
  createBody,
  createReader: () => new JsonDocumentReader(new GenerationDocument()),
};
