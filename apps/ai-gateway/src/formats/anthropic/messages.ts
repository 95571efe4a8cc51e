import type { ModelOperation } from '../operation.ts';
import { appendQuery } from '../query.ts';
import { isEventStream } from '../readers/content-type.ts';
import { EventStreamReader } from '../readers/event-stream-reader.ts';
import { JsonDocumentReader } from '../readers/json-document-reader.ts';
import { MessageDocument } from './message-document.ts';
import { createMessageBody, readMessageRequest } from './message-request.ts';
import { MessageStream } from './message-stream.ts';

/**
 * `POST /v1/messages` of Anthropic. The provider needs the headers `anthropic-version`, which
 * selects the form of requests and responses, and `anthropic-beta`, which enables features.
 */
export const messages: ModelOperation = {
  name: 'anthropic.messages',
  format: 'anthropic',
  telemetryName: 'chat',
  isMetered: true,
  readRequest: readMessageRequest,
  createPath: ({ received }) => appendQuery('/messages', received.query),
  createBody: createMessageBody,
  createReader: ({ isStream }, contentType) =>
    isEventStream(contentType, isStream)
      ? new EventStreamReader(new MessageStream(), false)
      : new JsonDocumentReader(new MessageDocument()),
};
