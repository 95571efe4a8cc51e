import { countMessageTokens } from './anthropic/count-tokens.ts';
import { anthropicErrors } from './anthropic/errors.ts';
import { messages } from './anthropic/messages.ts';
import type { ServedFormats } from './find-operation.ts';
import { countContentTokens } from './google/count-tokens.ts';
import { batchEmbedContents, embedContent } from './google/embed-content.ts';
import { googleErrors } from './google/errors.ts';
import { generateContent } from './google/generate-content.ts';
import { streamGenerateContent } from './google/stream-generate-content.ts';
import { chatCompletions } from './openai/chat-completions.ts';
import { embeddings } from './openai/embeddings.ts';
import { openAiErrors } from './openai/errors.ts';
import { responses } from './openai/responses.ts';

/** The operations and errors of all vendors. */
export const SERVED_FORMATS: ServedFormats = {
  byPath: new Map([
    ['/v1/chat/completions', chatCompletions],
    ['/v1/responses', responses],
    ['/v1/embeddings', embeddings],
    ['/v1/messages', messages],
    ['/v1/messages/count_tokens', countMessageTokens],
  ]),
  byVerb: new Map([
    ['generateContent', generateContent],
    ['streamGenerateContent', streamGenerateContent],
    ['countTokens', countContentTokens],
    ['embedContent', embedContent],
    ['batchEmbedContents', batchEmbedContents],
  ]),
  errors: { openai: openAiErrors, anthropic: anthropicErrors, google: googleErrors },
};
