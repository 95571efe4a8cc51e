/** Chunks of real shapes, as OpenAI and compatible servers write them. */

const HEAD =
  '"id":"chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT","object":"chat.completion.chunk","created":1741569952,"model":"gpt-5.4-2026-03-05","service_tier":"default","system_fingerprint":"fp_44709d6fcb"';

export const USAGE =
  '{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,"prompt_tokens_details":{"cached_tokens":4,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":3,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}';

const choice = (delta: string, finish = 'null') =>
  `"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]`;

/** The data of a stream of OpenAI. @param usage the text after the choices of each chunk */
const createOpenAiData = (usage: string): string[] =>
  [
    choice('{"role":"assistant","content":"","refusal":null}'),
    choice('{"content":"Grüße, \\"usage\\":null 🎉"}'),
    choice(
      '{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":"{\\"error\\":"}}]}',
    ),
    choice('{}', '"stop"'),
  ].map((choices, at) => `{${HEAD},${choices}${usage},"obfuscation":"${'x'.repeat(at)}"}`);

/** The stream that a client receives that has not asked for the usage. */
export const plainData = [...createOpenAiData(''), '[DONE]'];
const usageChunk = `{${HEAD},"choices":[],"usage":${USAGE},"obfuscation":"ab"}`;
/** The stream of the same answer with the usage. */
export const usageData = [...createOpenAiData(',"usage":null'), usageChunk, '[DONE]'];

/** A compatible server: the usage in each chunk, no terminal frame. */
export const usageOnEachChunk = [1, 2, 3].map(
  (tokens) =>
    `{"id":"c1","object":"chat.completion.chunk","created":1,"model":"llama","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":${tokens === 3 ? '"length"' : 'null'}}],"usage":{"prompt_tokens":7,"completion_tokens":${tokens},"total_tokens":${7 + tokens}}}`,
);

/** Writes an event stream. */
export const encodeFrames = (data: readonly string[], lineEnd = '\n'): Uint8Array =>
  Buffer.from(data.map((text) => `data: ${text}${lineEnd}${lineEnd}`).join(''));
