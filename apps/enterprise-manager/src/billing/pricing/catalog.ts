import { isDeepStrictEqual } from 'node:util';
import { type PricingEntry, PriceList, type PricingSpec, blockOf } from '@gatehouse/money/price-list';
import { RatesError, VENDORS, readRates } from '@gatehouse/money/rates';

/** Models that a catalog can price. */
export const MAX_ENTRIES = 5_000;

/** Other names of providers, each with the provider that it stands for. */
export type ProviderAliases = Readonly<Record<string, string>>;

/** The prices of a version. */
export interface Catalog {
  provider_aliases: ProviderAliases;
  spec: PricingSpec;
}

/**
 * Where a version is on its way: `staged` until its moment, `in_effect`, then `superseded`;
 * `withdrawn` was staged and never came into effect.
 */
export const VERSION_STATES = ['staged', 'in_effect', 'superseded', 'withdrawn'] as const;
export type VersionState = (typeof VERSION_STATES)[number];

/**
 * What of a version decides about its state. Times are RFC 3339 in UTC with milliseconds, so that
 * their texts order as they do.
 */
export interface VersionTimes {
  id: string;
  effective_from: string;
  created_at: string;
  withdrawn_at: string | null;
}

/**
 * Something that a catalog must not say: where, as a path into it, and the rest of a sentence about
 * it.
 */
export interface CatalogFault {
  path: (string | number)[];
  message: string;
}

/**
 * Whether two entries are about the same model of the same provider. Names are compared exactly.
 */
const isFor = (entry: PricingEntry, provider: string, model: string): boolean =>
  entry.provider === provider && entry.model === model;

/** The price of a model, found by its exact names; aliases are not followed. */
export const entryOf = ({ entries }: PricingSpec, provider: string, model: string): PricingEntry | undefined =>
  entries.find((entry) => isFor(entry, provider, model));

/**
 * The catalog with one more price: in the place of the model's old price where there was one, else
 * at the end. Nothing else changes.
 */
export function withEntry({ entries, ...rest }: PricingSpec, entry: PricingEntry): PricingSpec {
  const at = entries.findIndex((other) => isFor(other, entry.provider, entry.model));
  return { ...rest, entries: at < 0 ? [...entries, entry] : entries.with(at, entry) };
}

/** The catalog without the price of a model. Nothing else changes. */
export const withoutEntry = ({ entries, ...rest }: PricingSpec, provider: string, model: string): PricingSpec => ({
  ...rest,
  entries: entries.filter((entry) => !isFor(entry, provider, model)),
});

/**
 * Whether a version waits for its moment. One that was written for at once never does, also where
 * the clock of another replica is a little behind the one that dated it.
 */
export const isStaged = ({ effective_from, created_at }: VersionTimes, now: string): boolean =>
  effective_from > now && effective_from > created_at;

/** The state of a version. @param inEffect id of the version in effect */
export function stateOf(version: VersionTimes, inEffect: string | undefined, now: string): VersionState {
  if (version.withdrawn_at !== null) return 'withdrawn';
  if (version.id === inEffect) return 'in_effect';
  return isStaged(version, now) ? 'staged' : 'superseded';
}

/**
 * What is wrong with the price of one model: its block is not exactly one of the three, or the
 * block is not what it must be.
 */
export function entryFault(entry: PricingEntry): CatalogFault | undefined {
  return faultIn(() => {
    const { vendor, block } = blockOf(entry);
    try {
      readRates(vendor, block);
    } catch (error) {
      throw error instanceof RatesError ? new RatesError(`${vendor}.${error.field}`, error.reason) : error;
    }
  });
}

/** The first thing that is wrong with the prices of a catalog. */
export const specFault = (spec: PricingSpec): CatalogFault | undefined => faultIn(() => new PriceList(spec));

/**
 * What is wrong with the aliases: one stands for another alias. A name that is looked up takes one
 * hop at most.
 */
export function aliasFaults(aliases: ProviderAliases): CatalogFault[] {
  return Object.entries(aliases).flatMap(([alias, provider]) =>
    Object.hasOwn(aliases, provider)
      ? [{ path: [alias], message: 'must stand for a provider, not for another alias' }]
      : [],
  );
}

function faultIn(judge: () => unknown): CatalogFault | undefined {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (!(error instanceof RatesError)) throw error;
    return faultOf(error);
  }
}

const NO_ONE_BLOCK = VENDORS.join(', ');

/**
 * The path of a field such as `entries[3].openai.promptSizeTiers[0].aboveTokens`; blocks that are
 * missing or too many are no field, they are named in the sentence.
 */
function faultOf({ field, reason }: RatesError): CatalogFault {
  const blocks = field.endsWith(NO_ONE_BLOCK);
  const path = (blocks ? field.slice(0, -NO_ONE_BLOCK.length) : field)
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return { path, message: blocks ? `${NO_ONE_BLOCK}: ${reason}` : reason };
}

/** More names than this in one line of the audit trail become `entries`. */
const MAX_NAMED = 100;

/**
 * The name of a model's price in the audit trail: its path, in which only the model may hold
 * slashes.
 */
export const entryName = (provider: string, model: string): string =>
  `entries/${encodeURIComponent(provider)}/${model}`;

/**
 * Names of what differs between two catalogs, in the order of the alphabet. The order of keys and
 * of entries says nothing.
 */
export function changedFields(before: Catalog, after: Catalog): string[] {
  const [old, now] = [pricesByName(before), pricesByName(after)];
  const entries = [...new Set([...old.keys(), ...now.keys()])].filter(
    (name) => !isDeepStrictEqual(old.get(name), now.get(name)),
  );
  return [
    ...(entries.length > MAX_NAMED ? ['entries'] : entries),
    ...(isDeepStrictEqual(before.provider_aliases, after.provider_aliases) ? [] : ['provider_aliases']),
    ...(isDeepStrictEqual(before.spec.tools ?? {}, after.spec.tools ?? {}) ? [] : ['tools']),
  ].sort();
}

const pricesByName = ({ spec }: Catalog): Map<string, PricingEntry> =>
  new Map(spec.entries.map((entry) => [entryName(entry.provider, entry.model), entry]));
