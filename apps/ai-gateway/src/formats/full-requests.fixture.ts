import type { JsonObject } from './model-request.ts';
import type { WireFormat } from './operation.ts';

const DATA = 'iVBORw0KGgo=';
const media = { inlineData: { mimeType: 'image/png', data: DATA } };
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } };

/** Requests with every field that the gateway reads. */
export const FULL_REQUESTS: Readonly<Record<WireFormat, JsonObject>> = {
  openai: {
    model: 'alias',
    stream: true,
    stream_options: { include_usage: true },
    n: 2,
    max_tokens: 5,
    max_completion_tokens: 5,
    max_output_tokens: 5,
    background: false,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${DATA}`, detail: 'low' } },
          { type: 'input_audio', input_audio: { data: DATA, format: 'mp3' } },
        ],
      },
    ],
    input: [
      { role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${DATA}`, detail: 'low' }] },
      { type: 'computer_call_output', output: { type: 'computer_screenshot', image_url: DATA } },
    ],
  },
  anthropic: {
    model: 'alias',
    stream: true,
    max_tokens: 5,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [
      {
        role: 'user',
        content: [
          image,
          { type: 'tool_result', tool_use_id: 't', content: [image] },
          { type: 'document', source: { type: 'content', content: [image] } },
        ],
      },
    ],
  },
  google: {
    model: 'models/alias',
    contents: [{ role: 'user', parts: [media, { functionResponse: { name: 'f', response: {}, parts: [media] } }] }],
    content: { parts: [media] },
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    generationConfig: { maxOutputTokens: 5, candidateCount: 2 },
    requests: [{ model: 'models/alias', content: { parts: [media] } }],
    generateContentRequest: { model: 'models/alias', contents: [{ parts: [media] }] },
  },
};

/** Values of the wrong type, size or form. */
export const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 0.5, 1e300, 2 ** 53, '', 'text', '5', '\ud800'],
  ...[[], [null], [[]], [5], ['text'], [{}], {}, { type: 'image' }, { source: null }, { parts: [null] }],
];

/** All copies of a value in which one part, at any depth, is another value. */
export function* replaceEachPart(value: unknown, other: unknown): Generator {
  yield other;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value))
    for (const changed of replaceEachPart(part, other))
      yield Array.isArray(value)
        ? value.map((item: unknown, at) => (String(at) === name ? changed : item))
        : { ...value, [name]: changed };
}
