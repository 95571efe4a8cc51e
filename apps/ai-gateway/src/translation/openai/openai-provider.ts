import { chatCompletions } from '../../formats/openai/chat-completions.ts';
import { ChatStream } from '../../formats/openai/chat-stream.ts';
import { readErrorType } from '../../formats/openai/error-type.ts';
import { createProviderError } from '../provider-error.ts';
import type { ProviderFormat } from '../translated-formats.ts';
import { ChatAnswerReader } from './answer-reader.ts';
import { writeChatRequest } from './request-writer.ts';

/** The status of errors within a stream, by code or type. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['context_length_exceeded', 400],
  ['rate_limit_exceeded', 429],
  ['server_error', 503],
]);

/** Chats at providers in the format of OpenAI: chat completions. */
export const openAiProvider: ProviderFormat = {
  format: 'openai',
  requestHeaders: {},
  createRequest(chat) {
    const body = writeChatRequest(chat);
    return {
      operation: chatCompletions,
      received: { bytes: Buffer.from(JSON.stringify(body)), body, query: new URLSearchParams() },
    };
  },
  createReader: () => new ChatAnswerReader(),
  createMetering: (answers) => new ChatStream(answers, false),
  readError: (status, body) => createProviderError(status ?? STATUSES.get(readErrorType(body?.['error'])) ?? 502, body),
};
