import { rateOf } from './charge.ts';
import { type Rates, ratesFor } from './rates.ts';
import { type Usd, roundToUsd } from './usd.ts';

/** What a request can use at most, as far as is known before it runs. */
export interface RequestSize {
  promptTokens: bigint;
  /** The limit that the request sets, or that of its model. */
  maxOutputTokens: bigint;
}

const INPUT = ['input', 'cache_read', 'cache_write', 'cache_write_5m', 'cache_write_1h'] as const;
const OUTPUT = ['output', 'reasoning'] as const;

/**
 * What a request of text can cost at most: the prompt at the dearest rate for text that its tier
 * has (whether it will be read from a cache or written to one is not known yet), and the longest
 * output at the dearer of output and reasoning. Audio and tools are not foreseen; they are charged
 * when they were used.
 */
export function estimateOf(rates: Rates, { promptTokens, maxOutputTokens }: RequestSize): Usd {
  const inForce = ratesFor(rates, promptTokens);
  const dearest = (buckets: readonly (typeof INPUT | typeof OUTPUT)[number][]) =>
    buckets.map((bucket) => rateOf(inForce, bucket)).reduce((most, rate) => (rate > most ? rate : most));
  return roundToUsd(promptTokens * dearest(INPUT) + maxOutputTokens * dearest(OUTPUT));
}
