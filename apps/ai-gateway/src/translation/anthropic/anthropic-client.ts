import { anthropicErrors } from '../../formats/anthropic/errors.ts';
import type { ClientFormat } from '../translated-formats.ts';
import { writeMessageDocument } from './answer-writer.ts';
import { readMessageChat } from './request-reader.ts';
import { MessageStreamWriter } from './stream-writer.ts';

/** Clients of the Messages API. */
export const anthropicClient: ClientFormat = {
  readChat: ({ received }, target) => readMessageChat(received.body, target),
  createAnswers: (request) => ({
    contentType: request.isStream ? 'text/event-stream; charset=utf-8' : 'application/json',
    keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
    createStreamWriter: () => new MessageStreamWriter(),
    writeDocument: writeMessageDocument,
    writeStreamError: (error) => anthropicErrors.writeStreamError(error, request),
  }),
};
