import {
  type RateBlock,
  type Rates,
  RatesError,
  type ToolRates,
  VENDORS,
  type Vendor,
  readRates,
  readToolRates,
} from './rates.ts';

/** The price of one model of one provider: exactly one of the three blocks. */
export type PricingEntry = { readonly provider: string; readonly model: string } & {
  readonly [V in Vendor]?: RateBlock | undefined;
};

/** The prices of a catalog version. */
export interface PricingSpec {
  readonly entries: readonly PricingEntry[];
  readonly tools?: ToolRates | undefined;
}

/**
 * The vendor and the rate block of an entry.
 * @throws RatesError unless the entry has exactly one block
 */
export function getRateBlock(entry: PricingEntry): { vendor: Vendor; block: RateBlock } {
  const named = VENDORS.flatMap((vendor) => {
    const block = entry[vendor];
    return block === undefined ? [] : [{ vendor, block }];
  });
  const [only] = named;
  if (only === undefined || named.length > 1)
    throw new RatesError(VENDORS.join(', '), 'exactly one of these rate blocks is required');
  return only;
}

/**
 * The prices of a catalog version, ready for lookups. Names match exactly. A provider without its
 * own price for the model is looked up once more under the provider of its alias; an alias of an
 * alias is not followed.
 * @throws RatesError with the path in the specification, for example
 * `entries[3].openai.inputUsdPerMillion`
 */
export class PriceList {
  private readonly prices = new Map<string, Map<string, Rates>>();
  private readonly aliases: ReadonlyMap<string, string>;

  constructor({ entries, tools = {} }: PricingSpec, aliases: Readonly<Record<string, string>> = {}) {
    this.aliases = new Map(Object.entries(aliases));
    readToolRates(tools);
    for (const [at, entry] of entries.entries()) {
      const models = this.prices.get(entry.provider) ?? new Map<string, Rates>();
      if (models.has(entry.model))
        throw new RatesError(`entries[${at}]`, 'has the same provider and model as an earlier entry');
      this.prices.set(entry.provider, models.set(entry.model, readEntry(entry, `entries[${at}]`, tools)));
    }
  }

  /** The rates of a model; undefined without a price. */
  find(provider: string, model: string): Rates | undefined {
    const alias = this.aliases.get(provider);
    return (
      this.prices.get(provider)?.get(model) ?? (alias === undefined ? undefined : this.prices.get(alias)?.get(model))
    );
  }
}

function readEntry(entry: PricingEntry, path: string, tools: ToolRates): Rates {
  let at = path;
  try {
    const { vendor, block } = getRateBlock(entry);
    at += `.${vendor}`;
    return readRates(vendor, block, tools);
  } catch (error) {
    if (!(error instanceof RatesError)) throw error;
    throw new RatesError(`${at}.${error.field}`, error.reason);
  }
}
