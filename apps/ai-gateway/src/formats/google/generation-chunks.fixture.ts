import type { JsonObject } from '../model-request.ts';

const names = { modelVersion: 'gemini-3.5-flash', responseId: 'nJk4aZ-HLsyT1PIP5d2kqAk' };
const part = (value: JsonObject, more: JsonObject = {}): JsonObject => ({
  content: { parts: [value], role: 'model' },
  index: 0,
  ...more,
});

/** The last usage, which a plain response has too. */
export const USAGE_METADATA = {
  promptTokenCount: 1_300,
  cachedContentTokenCount: 1_024,
  candidatesTokenCount: 37,
  thoughtsTokenCount: 210,
  toolUsePromptTokenCount: 60,
  totalTokenCount: 1_607,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 1_042 },
    { modality: 'IMAGE', tokenCount: 258 },
  ],
};

/** The usage with the searches that the vendor bills. */
export const USAGE = { ...USAGE_METADATA, tool_calls: { grounding_search: 2 } };

const grounding = { webSearchQueries: ['weather berlin', 'weather hamburg', 'weather berlin', ''] };

/** A stream with a thought, text with odd characters, a call, and a chunk of usage only. */
export const chunks: readonly JsonObject[] = [
  {
    candidates: [part({ text: 'I should search.', thought: true })],
    usageMetadata: { promptTokenCount: 1_300, totalTokenCount: 1_300 },
    ...names,
  },
  {
    candidates: [part({ text: 'Grüße 🎉 }]\\" {"usageMetadata": {"candidatesTokenCount": 1}}' })],
    usageMetadata: { ...USAGE_METADATA, candidatesTokenCount: 9 },
    ...names,
  },
  {
    candidates: [part({ functionCall: { name: 'get_weather', args: {} }, thoughtSignature: 'AAAA' })],
    usageMetadata: { ...USAGE_METADATA, candidatesTokenCount: 30 },
    ...names,
  },
  { candidates: [part({ text: '' }, { finishReason: 'STOP', groundingMetadata: grounding })], ...names },
  { usageMetadata: USAGE_METADATA, ...names },
];

/** A plain response with the same usage. */
export const response: JsonObject = {
  candidates: [part({ text: 'Grüße' }, { finishReason: 'STOP', groundingMetadata: grounding })],
  usageMetadata: USAGE_METADATA,
  ...names,
};

/** Writes chunks as `streamGenerateContent` does. */
export function encodeChunks(list: readonly JsonObject[], form: 'sse' | 'json', lineEnd = '\r\n'): Buffer {
  if (form === 'sse')
    return Buffer.from(list.map((chunk) => `data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`).join(''));
  return Buffer.from(`[${list.map((chunk) => JSON.stringify(chunk, undefined, 2)).join(`\n,${lineEnd}`)}\n]`);
}
