import type { ModelOperation } from '../operation.ts';
import { isEventStream } from '../readers/content-type.ts';
import { EventStreamReader } from '../readers/event-stream-reader.ts';
import { readGenerationRequest } from './generation-request.ts';
import { GenerationArrayReader, GenerationEvents } from './generation-stream.ts';
import { createModelPath, readResponseForm } from './model-path.ts';
import { createBody } from './renamed-body.ts';

/**
 * `POST /v1beta/models/{model}:streamGenerateContent` of the Gemini API. The stream has
 * server-sent events with `alt=sse`, and is a JSON array otherwise.
 */
export const streamGenerateContent: ModelOperation = {
  name: 'google.stream_generate_content',
  format: 'google',
  telemetryName: 'generate_content',
  isMetered: true,
  readRequest: (received) => readGenerationRequest(received, true),
  createPath: (request, model) => createModelPath(request, model, 'streamGenerateContent'),
  createBody,
  createReader: ({ received }, contentType) =>
    isEventStream(contentType, readResponseForm(received.query) === 'sse')
      ? new EventStreamReader(new GenerationEvents(), false)
      : new GenerationArrayReader(),
};
