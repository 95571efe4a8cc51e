import { generateContent } from '../../formats/google/generate-content.ts';
import { GenerationEvents } from '../../formats/google/generation-stream.ts';
import { streamGenerateContent } from '../../formats/google/stream-generate-content.ts';
import { isJsonObject } from '../../formats/readers/response-facts.ts';
import { createProviderError } from '../provider-error.ts';
import type { ProviderFormat } from '../translated-formats.ts';
import { ContentAnswerReader } from './answer-reader.ts';
import { writeGenerateRequest } from './request-writer.ts';

/** Chats at providers in the format of Google. */
export const googleProvider: ProviderFormat = {
  format: 'google',
  requestHeaders: {},
  createRequest(chat, model) {
    const body = writeGenerateRequest(chat, model);
    const query = new URLSearchParams(chat.isStream ? { alt: 'sse' } : {});
    return {
      operation: chat.isStream ? streamGenerateContent : generateContent,
      received: { bytes: Buffer.from(JSON.stringify(body)), body, pathModel: chat.model, query },
    };
  },
  createReader: () => new ContentAnswerReader(),
  createMetering: () => new GenerationEvents(),
  readError(status, body) {
    const error = body?.['error'];
    const code = isJsonObject(error) ? error['code'] : undefined;
    return createProviderError(status ?? (typeof code === 'number' && code >= 400 && code < 600 ? code : 502), body);
  },
};
