/**
 * The usage of one request in disjoint parts: tokens, and calls of server-side tools. The sum of
 * all token parts counts each token once.
 */
export const BUCKETS = [
  'input',
  'cache_read',
  'cached_audio',
  'cache_write',
  'cache_write_5m',
  'cache_write_1h',
  'audio_input',
  'output',
  'reasoning',
  'audio_output',
  'web_search',
  'file_search',
  'grounding_search',
] as const;
export type Bucket = (typeof BUCKETS)[number];

/** The parts of the prompt; their sum decides the tier. */
const PROMPT_BUCKETS = [
  'input',
  'cache_read',
  'cached_audio',
  'cache_write',
  'cache_write_5m',
  'cache_write_1h',
  'audio_input',
] as const satisfies readonly Bucket[];

/** Counts by bucket; an absent bucket is zero. */
export type Usage = { readonly [B in Bucket]?: bigint };

/** All tokens of the prompt, cached or not. */
export const promptTokens = (usage: Usage): bigint =>
  PROMPT_BUCKETS.reduce((sum, bucket) => sum + (usage[bucket] ?? 0n), 0n);
