import { getRate } from './charge.ts';
import { maxOutputTokens } from './model-limits.ts';
import { type Rates, ratesFor } from './rates.ts';
import { type Usd, roundToUsd } from './usd.ts';

/** The largest possible usage of a request, as known before it runs. */
export interface RequestSize {
  promptTokens: bigint;
  /** The limit of the request, else of its model. */
  maxOutputTokens: bigint;
}

const INPUT = ['input', 'cache_read', 'cache_write', 'cache_write_5m', 'cache_write_1h'] as const;
const OUTPUT = ['output', 'reasoning'] as const;

/**
 * The largest possible cost of a text request: the prompt at the highest text rate of its tier,
 * because cache reads and writes are not known yet, and the longest output at the higher rate of
 * output and reasoning. Audio and tools are not estimated; they are charged after use.
 */
export function computeEstimate(rates: Rates, { promptTokens, maxOutputTokens }: RequestSize): Usd {
  const inForce = ratesFor(rates, promptTokens);
  const highestRate = (buckets: readonly (typeof INPUT | typeof OUTPUT)[number][]) =>
    buckets.map((bucket) => getRate(inForce, bucket)).reduce((most, rate) => (rate > most ? rate : most));
  return roundToUsd(promptTokens * highestRate(INPUT) + maxOutputTokens * highestRate(OUTPUT));
}

/** The size of a request to a model, in tokens. */
export interface ModelRequestSize {
  readonly promptTokens: number;
  /** The limit of the request; undefined without one. */
  readonly maxOutputTokens?: number | undefined;
}

/**
 * The largest possible cost of a request to a model. Without a limit of its own, a request has the
 * limit of the model, which is listed by the vendor of the rates: a provider can be an alias.
 */
export const estimateModelRequest = (rates: Rates, model: string, size: ModelRequestSize): Usd =>
  computeEstimate(rates, {
    promptTokens: BigInt(size.promptTokens),
    maxOutputTokens: BigInt(size.maxOutputTokens ?? maxOutputTokens(rates.vendor, model)),
  });
