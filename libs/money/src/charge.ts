import { BUCKETS, type Bucket, type Usage, promptTokens } from './buckets.ts';
import { writeDecimal } from './decimal.ts';
import { RATE_DIGITS, type NamedRates, type RateName, type Rates, type ToolRateName, ratesFor } from './rates.ts';
import { type Atto, type Usd, roundToUsd } from './usd.ts';

/**
 * One part of a charge: `quantity` tokens at `rate` USD for a million, or calls at `rate` USD for a
 * thousand.
 */
export interface ChargeLine {
  readonly bucket: Bucket;
  readonly quantity: bigint;
  readonly rate: string;
  /** The exact cost of the line. */
  readonly atto: Atto;
}

/**
 * The rates of each bucket in order of preference: the first one that the block contains is used
 * (section Pricing of the specification). A block has only the rates of its vendor; other names are
 * skipped.
 */
const TOKEN_RATES = {
  input: ['inputUsdPerMillion'],
  cache_read: ['cachedInputUsdPerMillion', 'inputUsdPerMillion'],
  cached_audio: [
    'cachedAudioInputUsdPerMillion',
    'cachedInputUsdPerMillion',
    'audioInputUsdPerMillion',
    'inputUsdPerMillion',
  ],
  cache_write: ['cacheWriteInputUsdPerMillion', 'inputUsdPerMillion'],
  cache_write_5m: ['cacheCreation5mInputUsdPerMillion', 'inputUsdPerMillion'],
  cache_write_1h: ['cacheCreation1hInputUsdPerMillion', 'cacheCreation5mInputUsdPerMillion', 'inputUsdPerMillion'],
  audio_input: ['audioInputUsdPerMillion', 'inputUsdPerMillion'],
  output: ['outputUsdPerMillion'],
  reasoning: ['reasoningOutputUsdPerMillion', 'thoughtsOutputUsdPerMillion', 'outputUsdPerMillion'],
  audio_output: ['audioOutputUsdPerMillion', 'outputUsdPerMillion'],
} as const satisfies Partial<Record<Bucket, readonly RateName[]>>;
type TokenBucket = keyof typeof TOKEN_RATES;

const TOOL_RATES = {
  web_search: 'webSearchUsdPerThousand',
  file_search: 'fileSearchUsdPerThousand',
  grounding_search: 'groundingSearchUsdPerThousand',
} as const satisfies Partial<Record<Bucket, ToolRateName>>;

/**
 * Atto-dollars of one call at one unit of a tool rate: 10⁻¹² USD for a thousand calls are 10⁻¹⁵ USD
 * for one.
 */
const ATTO_PER_CALL_UNIT = 1_000n;

/** The rate of a token bucket, with its fallbacks. */
export function getRate(rates: NamedRates, bucket: TokenBucket): bigint {
  for (const name of TOKEN_RATES[bucket]) {
    const rate = rates[name];
    if (rate !== undefined) return rate;
  }
  throw new Error('The rate block has no input or output rate. Use a block that readRates has read.');
}

/** The exact cost of each bucket. The size of the whole prompt selects the tier for all of them. */
export function chargeLines(rates: Rates, usage: Usage): ChargeLine[] {
  return price(rates, usage).map((line) => ({ ...line, rate: writeDecimal(line.rate, RATE_DIGITS.fraction) }));
}

/** The cost of a usage: the exact sum of its lines, rounded once to nano-dollars, half to even. */
export function computeCharge(rates: Rates, usage: Usage): Usd {
  return roundToUsd(price(rates, usage).reduce((sum, line) => sum + line.atto, 0n));
}

/** The lines of a charge, with rates in the unit of `Rates`. */
function price(rates: Rates, usage: Usage): (Omit<ChargeLine, 'rate'> & { rate: bigint })[] {
  const inForce = ratesFor(rates, promptTokens(usage));
  return BUCKETS.flatMap((bucket) => {
    const quantity = usage[bucket];
    if (quantity === undefined || quantity === 0n) return [];
    const tool = isTool(bucket);
    const rate = tool ? (rates.tools[TOOL_RATES[bucket]] ?? 0n) : getRate(inForce, bucket);
    return [{ bucket, quantity, rate, atto: quantity * rate * (tool ? ATTO_PER_CALL_UNIT : 1n) }];
  });
}

const isTool = (bucket: Bucket): bucket is keyof typeof TOOL_RATES => bucket in TOOL_RATES;
