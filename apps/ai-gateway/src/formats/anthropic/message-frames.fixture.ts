import type { JsonObject } from '../model-request.ts';

/** The usage of `message_start`: the output is a placeholder. */
export const START_USAGE = {
  input_tokens: 472,
  cache_creation_input_tokens: 1_200,
  cache_read_input_tokens: 9_000,
  cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 1_000 },
  output_tokens: 4,
  service_tier: 'standard',
};

/** The usage of the last `message_delta`, which is cumulative. */
export const LAST_USAGE = {
  input_tokens: 10_682,
  cache_creation_input_tokens: 1_200,
  cache_read_input_tokens: 9_000,
  output_tokens: 510,
  server_tool_use: { web_search_requests: 1 },
};

/** The usage that counts for the stream, and that a plain response has. */
export const USAGE = { ...START_USAGE, ...LAST_USAGE };

const start: JsonObject = {
  type: 'message_start',
  message: {
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: START_USAGE,
  },
};
const block = (index: number, content_block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, value: JsonObject): JsonObject => ({ type: 'content_block_delta', index, delta: value });
const stop = (index: number): JsonObject => ({ type: 'content_block_stop', index });

/** A stream with thinking, a search of the vendor, text with odd characters, and a tool. */
export const events: readonly JsonObject[] = [
  start,
  block(0, { type: 'thinking', thinking: '', signature: '' }),
  { type: 'ping' },
  delta(0, { type: 'thinking_delta', thinking: 'I should search.' }),
  delta(0, { type: 'signature_delta', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' }),
  stop(0),
  block(1, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
  delta(1, { type: 'input_json_delta', partial_json: '{"query":' }),
  delta(1, { type: 'input_json_delta', partial_json: ' "weather"}' }),
  stop(1),
  block(2, {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', url: 'https://example.com', title: 'Weather' }],
  }),
  stop(2),
  block(3, { type: 'text', text: '' }),
  delta(3, { type: 'text_delta', text: 'Grüße 🎉, "usage": {"output_tokens": 1}\n\nevent: message_stop' }),
  delta(3, { type: 'citations_delta', citation: { type: 'web_search_result_location' } }),
  stop(3),
  block(4, { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} }),
  delta(4, { type: 'input_json_delta', partial_json: '' }),
  delta(4, { type: 'input_json_delta', partial_json: '{"location": "Berlin"}' }),
  stop(4),
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { ...LAST_USAGE, output_tokens: 89 },
  },
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: LAST_USAGE },
  { type: 'message_stop' },
];

/** The message of the stream as a response that is no stream. */
export const message: JsonObject = {
  id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5-5',
  content: [
    { type: 'thinking', thinking: 'I should search.', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' },
    { type: 'text', text: 'Grüße 🎉' },
    { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { location: 'Berlin' } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: USAGE,
};

/** Writes events as the vendor does. */
export const encodeEvents = (list: readonly JsonObject[], lineEnd = '\n'): Buffer =>
  Buffer.from(
    list
      .map((event) => `event: ${String(event['type'])}${lineEnd}data: ${JSON.stringify(event)}${lineEnd}${lineEnd}`)
      .join(''),
  );
