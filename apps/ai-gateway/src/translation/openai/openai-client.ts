import { openAiErrors } from '../../formats/openai/errors.ts';
import { isUsageRequested } from '../../formats/openai/stream-options.ts';
import type { ClientFormat } from '../translated-formats.ts';
import { writeChatDocument } from './answer-writer.ts';
import { readChatRequest } from './request-reader.ts';
import { ChatStreamWriter } from './stream-writer.ts';

/** Clients of chat completions. */
export const openAiClient: ClientFormat = {
  readChat: ({ received }, target) => readChatRequest(received.body, target),
  createAnswers: (request) => ({
    contentType: request.isStream ? 'text/event-stream; charset=utf-8' : 'application/json',
    keepAlive: ': keep-alive\n\n',
    createStreamWriter: () => new ChatStreamWriter(isUsageRequested(request.received.body)),
    writeDocument: writeChatDocument,
    writeStreamError: (error) => openAiErrors.writeStreamError(error, request),
  }),
};
