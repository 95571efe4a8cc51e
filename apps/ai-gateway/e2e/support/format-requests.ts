/** The facts of a request in any format. */
export interface FormatRequestFacts {
  /** The text of the user, perhaps with directives of the simulated vendors. */
  readonly text: string;
  readonly model: string;
  readonly isStream?: boolean;
  /** The most tokens of the output; the default of the format if it is missing. */
  readonly maxTokens?: number;
  /** Whether a stream of chat completions asks for its usage. */
  readonly includeUsage?: boolean;
}

/** A request to a gateway. */
export interface FormatRequest {
  readonly path: string;
  readonly body: string;
}

/** The headers of every request, without a credential. */
export const FORMAT_HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' } as const;

const createChat = ({ text, model, isStream = false, maxTokens, includeUsage = false }: FormatRequestFacts) => ({
  path: '/v1/chat/completions',
  body: JSON.stringify({
    model,
    messages: [{ role: 'user', content: text }],
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(isStream && { stream: true }),
    ...(isStream && includeUsage && { stream_options: { include_usage: true } }),
  }),
});

const createResponse = ({ text, model, isStream = false, maxTokens }: FormatRequestFacts) => ({
  path: '/v1/responses',
  body: JSON.stringify({
    model,
    input: text,
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(isStream && { stream: true }),
  }),
});

const createMessage = ({ text, model, isStream = false, maxTokens = 64 }: FormatRequestFacts) => ({
  path: '/v1/messages',
  body: JSON.stringify({
    model,
    max_tokens: maxTokens,
    messages: [{ role: 'user', content: text }],
    ...(isStream && { stream: true }),
  }),
});

const createContent = ({ text, model, isStream = false, maxTokens }: FormatRequestFacts) => ({
  path: `/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: JSON.stringify({
    contents: [{ role: 'user', parts: [{ text }] }],
    ...(maxTokens !== undefined && { generationConfig: { maxOutputTokens: maxTokens } }),
  }),
});

/** Creates a generating request in each format. */
export const FORMAT_REQUESTS = {
  chat: createChat,
  response: createResponse,
  message: createMessage,
  content: createContent,
} satisfies Readonly<Record<string, (facts: FormatRequestFacts) => FormatRequest>>;

export type FormatName = keyof typeof FORMAT_REQUESTS;
