import { UsageCountError } from '@gatehouse/money/counts';
import { readUsage } from '@gatehouse/money/usage';
import type { JsonObject } from './model-request.ts';
import type { WireFormat } from './operation.ts';

/** The tokens of a usage object: cached ones are input, reasoning ones are output. */
export interface TokenCounts {
  readonly input: number;
  readonly output: number;
}

const OUTPUT_BUCKETS = ['output', 'reasoning', 'audio_output'] as const;
const INPUT_BUCKETS = [
  'input',
  'cache_read',
  'cached_audio',
  'cache_write',
  'cache_write_5m',
  'cache_write_1h',
  'audio_input',
] as const;

/** Counts the tokens of a usage object. @returns undefined for one that has no readable count */
export function countTokens(format: WireFormat, raw: JsonObject): TokenCounts | undefined {
  try {
    const usage = readUsage(format, raw);
    if (usage === undefined) return undefined;
    const sum = (buckets: readonly (typeof INPUT_BUCKETS | typeof OUTPUT_BUCKETS)[number][]) =>
      Number(buckets.reduce((total, bucket) => total + (usage[bucket] ?? 0n), 0n));
    return { input: sum(INPUT_BUCKETS), output: sum(OUTPUT_BUCKETS) };
  } catch (error) {
    if (error instanceof UsageCountError) return undefined;
    throw error;
  }
}
