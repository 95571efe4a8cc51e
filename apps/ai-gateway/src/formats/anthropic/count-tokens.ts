import type { ModelOperation } from '../operation.ts';
import { appendQuery } from '../query.ts';
import { JsonDocumentReader } from '../readers/json-document-reader.ts';
import { UnmeteredDocument } from '../readers/unmetered-document.ts';
import { createMessageBody, readMessageRequest } from './message-request.ts';

/**
 * `POST /v1/messages/count_tokens` of Anthropic, which is free. It has the headers of
 * `POST /v1/messages`.
 */
export const countMessageTokens: ModelOperation = {
  name: 'anthropic.count_tokens',
  format: 'anthropic',
  telemetryName: 'count_tokens',
  isMetered: false,
  readRequest: (received) => ({ ...readMessageRequest(received), isStream: false, estimate: { promptTokens: 0 } }),
  createPath: ({ received }) => appendQuery('/messages/count_tokens', received.query),
  createBody: createMessageBody,
  createReader: () => new JsonDocumentReader(new UnmeteredDocument()),
};
