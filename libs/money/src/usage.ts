import { anthropicUsage } from './anthropic-usage.ts';
import { BUCKETS, type Bucket, type Usage } from './buckets.ts';
import { googleUsage } from './google-usage.ts';
import { openaiUsage } from './openai-usage.ts';
import type { Vendor } from './rates.ts';

export type { Usage } from './buckets.ts';

/**
 * Reads a vendor's unchanged usage object into disjoint buckets. Counts that contradict each other
 * are reduced, so that no bucket is negative and their sum does not exceed the vendor's total.
 * Unknown fields are ignored; `null` counts as absent.
 * @returns undefined for an object without a count: no usage was reported
 * @throws UsageCountError for a value that is not a count
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
