import { anthropicUsage } from './anthropic-usage.ts';
import { googleUsage } from './google-usage.ts';
import { openaiUsage } from './openai-usage.ts';
import type { Vendor } from './rates.ts';

/** What one request used, in disjoint parts: tokens, and calls of server-side tools. Adding all token parts counts each token once. */
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
export const PROMPT_BUCKETS = [
  'input',
  'cache_read',
  'cached_audio',
  'cache_write',
  'cache_write_5m',
  'cache_write_1h',
  'audio_input',
] as const satisfies readonly Bucket[];

/** Counts by bucket; one that is not there is zero. */
export type Usage = { readonly [B in Bucket]?: bigint };

/**
 * Reads a vendor's usage object, exactly as the vendor sent it, into disjoint buckets. Counts that contradict each other are cut, so that no bucket is negative
 * and their sum never passes the vendor's total. Fields that are not known are left out; `null` is like absent.
 * @returns undefined for an object without a single count: nothing was reported
 * @throws UsageError for a count that is none
 */
export function readUsage(vendor: Vendor, raw: Readonly<Record<string, unknown>>): Usage | undefined {
  const usage = READERS[vendor](raw);
  return usage === undefined ? undefined : withoutZeros(usage);
}

const READERS: Record<Vendor, (raw: Readonly<Record<string, unknown>>) => Usage | undefined> = {
  anthropic: anthropicUsage,
  openai: openaiUsage,
  google: googleUsage,
};

function withoutZeros(usage: Usage): Usage {
  const some: { [B in Bucket]?: bigint } = {};
  for (const bucket of BUCKETS) {
    const count = usage[bucket];
    if (count !== undefined && count !== 0n) some[bucket] = count;
  }
  return some;
}

/** All tokens of the prompt, cached or not. */
export const promptTokens = (usage: Usage): bigint =>
  PROMPT_BUCKETS.reduce((sum, bucket) => sum + (usage[bucket] ?? 0n), 0n);
