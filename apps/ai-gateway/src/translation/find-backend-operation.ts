import type { BackendOperation } from '../formats/backend-operation.ts';
import type { ModelRequest } from '../formats/model-request.ts';
import { messages } from '../formats/anthropic/messages.ts';
import { generateContent } from '../formats/google/generate-content.ts';
import { streamGenerateContent } from '../formats/google/stream-generate-content.ts';
import { chatCompletions } from '../formats/openai/chat-completions.ts';
import type { ModelOperation, WireFormat } from '../formats/operation.ts';
import { isEventStream } from '../formats/readers/content-type.ts';
import { EventStreamReader, parseJsonObject } from '../formats/readers/event-stream-reader.ts';
import { anthropicClient } from './anthropic/anthropic-client.ts';
import { anthropicProvider } from './anthropic/anthropic-provider.ts';
import type { ChatRequest } from './chat/chat-request.ts';
import { googleClient } from './google/google-client.ts';
import { googleProvider } from './google/google-provider.ts';
import { openAiClient } from './openai/openai-client.ts';
import { openAiProvider } from './openai/openai-provider.ts';
import { TranslatedDocument } from './translated-document.ts';
import type { ClientAnswers, ClientFormat, ProviderFormat } from './translated-formats.ts';
import { TranslatedStream } from './translated-stream.ts';

/** The operations whose requests can be translated, with the formats of their clients. */
const CLIENTS: ReadonlyMap<ModelOperation, ClientFormat> = new Map([
  [chatCompletions, openAiClient],
  [messages, anthropicClient],
  [generateContent, googleClient],
  [streamGenerateContent, googleClient],
]);

const PROVIDERS: ReadonlyMap<WireFormat, ProviderFormat> = new Map([
  ['openai', openAiProvider],
  ['anthropic', anthropicProvider],
  ['google', googleProvider],
]);

/** An operation at a provider, and the request to it. */
export interface FoundBackendOperation {
  readonly operation: BackendOperation;
  readonly request: ModelRequest;
}

/**
 * Finds the operation at a provider that serves a request of a client. Where the formats differ,
 * the request is translated.
 * @param model the name of the model in prices, whose longest output a request without a limit has
 * @returns undefined if no operation of the provider has the same meaning
 * @throws ModelCallError `untranslatable` or `invalid_request`
 */
export function findBackendOperation(
  operation: ModelOperation,
  request: ModelRequest,
  format: WireFormat,
  model: string,
): FoundBackendOperation | undefined {
  if (operation.format === format) return { operation, request };
  const [client, provider] = [CLIENTS.get(operation), PROVIDERS.get(format)];
  if (client === undefined || provider === undefined) return undefined;
  const chat = client.readChat(request, format);
  const { operation: native, received } = provider.createRequest(chat, model);
  return {
    operation: createOperation(native, provider, client.createAnswers(request, chat), chat),
    request: native.readRequest(received),
  };
}

const createOperation = (
  native: ModelOperation,
  provider: ProviderFormat,
  client: ClientAnswers,
  { isStream, answers }: ChatRequest,
): BackendOperation => ({
  ...native,
  createReader(request, contentType) {
    if (isStream && isEventStream(contentType, true)) {
      const metering = provider.createMetering(answers?.value ?? 1);
      return new EventStreamReader(new TranslatedStream({ metering, provider, client }), true);
    }
    const metering = native.createReader(request, 'application/json');
    return new TranslatedDocument({ metering, provider, client, isStream });
  },
  translation: {
    contentType: client.contentType,
    requestHeaders: provider.requestHeaders,
    translateError: (status, body) => provider.readError(status, parseJsonObject(Buffer.from(body).toString('utf8'))),
  },
});
