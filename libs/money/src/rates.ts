import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { DecimalError, readDecimal } from './decimal.ts';

/** The vendors. The vendor of a rate block selects the reader of raw usage and the set of rates. */
export const VENDORS = ['anthropic', 'openai', 'google'] as const;
export type Vendor = (typeof VENDORS)[number];

/**
 * The rates of each vendor's block, in US dollars for a million tokens. `inputUsdPerMillion` and
 * `outputUsdPerMillion` are required, the others fall back.
 */
export const RATE_NAMES = {
  anthropic: [
    'inputUsdPerMillion',
    'cachedInputUsdPerMillion',
    'cacheCreation5mInputUsdPerMillion',
    'cacheCreation1hInputUsdPerMillion',
    'outputUsdPerMillion',
  ],
  openai: [
    'inputUsdPerMillion',
    'cachedInputUsdPerMillion',
    'cacheWriteInputUsdPerMillion',
    'audioInputUsdPerMillion',
    'outputUsdPerMillion',
    'reasoningOutputUsdPerMillion',
    'audioOutputUsdPerMillion',
  ],
  google: [
    'inputUsdPerMillion',
    'cachedInputUsdPerMillion',
    'audioInputUsdPerMillion',
    'cachedAudioInputUsdPerMillion',
    'outputUsdPerMillion',
    'thoughtsOutputUsdPerMillion',
    'audioOutputUsdPerMillion',
  ],
} as const satisfies Record<Vendor, readonly string[]>;
export type RateName = (typeof RATE_NAMES)[Vendor][number];

/**
 * The prices of server-side tools of each vendor, in US dollars for a thousand calls; a tool
 * without a rate costs nothing.
 */
export const TOOL_RATE_NAMES = {
  anthropic: ['webSearchUsdPerThousand'],
  openai: ['webSearchUsdPerThousand', 'fileSearchUsdPerThousand'],
  google: ['groundingSearchUsdPerThousand'],
} as const satisfies Record<Vendor, readonly string[]>;
export type ToolRateName = (typeof TOOL_RATE_NAMES)[Vendor][number];
type NamedToolRates = { readonly [Name in ToolRateName]?: bigint };

/** The permitted digits of a rate: up to a million dollars, down to 10⁻¹² dollars. */
export const RATE_DIGITS = { fraction: 12, integer: 7 } as const;

/** The largest prompt size of a tier, in tokens. */
export const MAX_TIER_TOKENS = 1_000_000_000;

/** A rate block in its written form: decimals as strings. */
export type RateBlock = { readonly [Name in RateName]?: string | undefined } & {
  readonly promptSizeTiers?: readonly PromptSizeTier[] | undefined;
};

/**
 * Rates for requests whose whole prompt has more than `aboveTokens` tokens; they replace the rates
 * that they name.
 */
export type PromptSizeTier = { readonly aboveTokens?: number | undefined } & {
  readonly [Name in RateName]?: string | undefined;
};

/** Tool prices in their written form, by vendor. */
export type ToolRates = {
  readonly [V in Vendor]?: { readonly [Name in (typeof TOOL_RATE_NAMES)[V][number]]?: string | undefined } | undefined;
};

/** Rates ready for arithmetic, in units of 10⁻¹² USD for a million tokens. */
export interface Rates {
  readonly vendor: Vendor;
  readonly base: NamedRates;
  /** In ascending order of `aboveTokens`. */
  readonly tiers: readonly { readonly aboveTokens: bigint; readonly rates: NamedRates }[];
  /** In units of 10⁻¹² USD for a thousand calls. */
  readonly tools: NamedToolRates;
}
export type NamedRates = { readonly [Name in RateName]?: bigint };

/** A fault of a rate block, with its path, such as `promptSizeTiers[1].aboveTokens`. */
export class RatesError extends GatehouseError {
  override readonly code = 'invalid_rates';

  constructor(
    readonly field: string,
    readonly reason: string,
  ) {
    super(`${field}: ${reason}`);
  }
}

/**
 * Reads a rate block. Every rate must belong to the vendor; input and output are required; tiers
 * must ascend and contain a rate.
 * @param tools the tool prices of the catalog
 * @throws RatesError for the first fault
 */
export function readRates(vendor: Vendor, block: RateBlock, tools: ToolRates = {}): Rates {
  const { promptSizeTiers = [], ...rates } = block;
  const base = readNamed<RateName>(RATE_NAMES[vendor], rates, '');
  for (const required of ['inputUsdPerMillion', 'outputUsdPerMillion'] as const)
    if (base[required] === undefined) throw new RatesError(required, 'is required');
  let last = -1n;
  const tiers = promptSizeTiers.map(({ aboveTokens, ...named }, at) => {
    const field = `promptSizeTiers[${at}]`;
    if (aboveTokens === undefined) throw new RatesError(`${field}.aboveTokens`, 'is required');
    if (!Number.isInteger(aboveTokens) || aboveTokens < 0 || aboveTokens > MAX_TIER_TOKENS)
      throw new RatesError(`${field}.aboveTokens`, `must be a whole number from 0 to ${MAX_TIER_TOKENS}`);
    const above = BigInt(aboveTokens);
    if (above <= last) throw new RatesError(`${field}.aboveTokens`, 'must be larger than that of the previous tier');
    last = above;
    const tierRates = readNamed<RateName>(RATE_NAMES[vendor], named, `${field}.`);
    if (Object.keys(tierRates).length === 0) throw new RatesError(field, 'must name at least one rate');
    return { aboveTokens: above, rates: tierRates };
  });
  return { vendor, base, tiers, tools: readToolRates(tools)[vendor] };
}

/**
 * Reads the tool prices of all vendors in a catalog.
 * @throws RatesError with the path, such as `tools.openai.webSearchUsdPerThousand`
 */
export function readToolRates(tools: ToolRates): Readonly<Record<Vendor, NamedToolRates>> {
  const unknown = Object.keys(tools).find((name) => !VENDORS.some((vendor) => vendor === name));
  if (unknown !== undefined)
    throw new RatesError(`tools.${unknown}`, `is not a vendor; the vendors are ${VENDORS.join(', ')}`);
  const read = (vendor: Vendor) =>
    readNamed<ToolRateName>(TOOL_RATE_NAMES[vendor], tools[vendor] ?? {}, `tools.${vendor}.`);
  return { anthropic: read('anthropic'), openai: read('openai'), google: read('google') };
}

function readNamed<Name extends string>(
  known: readonly Name[],
  written: { readonly [name: string]: string | undefined },
  path: string,
): { [N in Name]?: bigint } {
  const read: { [N in Name]?: bigint } = {};
  for (const [name, text] of Object.entries(written)) {
    if (text === undefined) continue;
    const rate = known.find((one) => one === name);
    if (rate === undefined) throw new RatesError(`${path}${name}`, `is not a rate; the rates are ${known.join(', ')}`);
    try {
      read[rate] = readDecimal(text, RATE_DIGITS);
    } catch (error) {
      if (error instanceof DecimalError) throw new RatesError(`${path}${name}`, error.message);
      throw error;
    }
  }
  return read;
}

/**
 * The rates for a prompt: the base, with the rates of the highest tier below its size.
 * @param promptTokens of the whole prompt, cached or not
 */
export function ratesFor(rates: Rates, promptTokens: bigint): NamedRates {
  const tier = rates.tiers.findLast(({ aboveTokens }) => promptTokens > aboveTokens);
  return tier === undefined ? rates.base : { ...rates.base, ...tier.rates };
}

/**
 * Whether a model is free: every rate of its block, in the base and in all tiers, is zero. Tool
 * prices belong to the catalog and not to the model, so they do not count.
 */
export const isFree = ({ base, tiers }: Rates): boolean =>
  [base, ...tiers.map(({ rates }) => rates)].every((named) => Object.values(named).every((rate) => rate === 0n));
