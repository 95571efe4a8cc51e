import { MessageStream } from '../../formats/anthropic/message-stream.ts';
import { messages } from '../../formats/anthropic/messages.ts';
import { isJsonObject } from '../../formats/readers/response-facts.ts';
import { createProviderError } from '../provider-error.ts';
import type { ProviderFormat } from '../translated-formats.ts';
import { MessageAnswerReader } from './answer-reader.ts';
import { writeMessageRequest } from './request-writer.ts';

/** The status of each type of an error within a stream (reference of the Messages API, Errors). */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

/** Chats at providers in the format of Anthropic. */
export const anthropicProvider: ProviderFormat = {
  format: 'anthropic',
  requestHeaders: { 'anthropic-version': '2023-06-01' },
  createRequest(chat, model) {
    const body = writeMessageRequest(chat, model);
    return {
      operation: messages,
      received: { bytes: Buffer.from(JSON.stringify(body)), body, query: new URLSearchParams() },
    };
  },
  createReader: () => new MessageAnswerReader(),
  createMetering: () => new MessageStream(),
  readError(status, body) {
    const error = body?.['error'];
    const type = isJsonObject(error) && typeof error['type'] === 'string' ? error['type'] : '';
    return createProviderError(status ?? STATUSES[type] ?? 502, body);
  },
};
