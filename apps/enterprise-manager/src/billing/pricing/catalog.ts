import { isDeepStrictEqual } from 'node:util';
import { type PricingEntry, PriceList, type PricingSpec, getRateBlock } from '@gatehouse/money/price-list';
import { RatesError, VENDORS, readRates } from '@gatehouse/money/rates';

/** The maximum number of models in a catalog. */
export const MAX_ENTRIES = 5_000;

/** Other names of providers, by alias. */
export type ProviderAliases = Readonly<Record<string, string>>;

/** The content of a version. */
export interface Catalog {
  provider_aliases: ProviderAliases;
  spec: PricingSpec;
}

/**
 * The states of a version: `staged` until its `effective_from`, then `in_effect`, then
 * `superseded`. A `withdrawn` version was deleted while it was staged.
 */
export const VERSION_STATES = ['staged', 'in_effect', 'superseded', 'withdrawn'] as const;
export type VersionState = (typeof VERSION_STATES)[number];

/**
 * The columns that decide the state of a version. Times are RFC 3339 in UTC with milliseconds, so
 * that texts have the order of the times.
 */
export interface VersionTimes {
  id: string;
  effective_from: string;
  created_at: string;
  withdrawn_at: string | null;
}

/**
 * A violation of the rules for catalogs: the path in the catalog, and a message without subject.
 */
export interface CatalogViolation {
  path: (string | number)[];
  message: string;
}

/** Whether an entry has these exact names. */
const hasNames = (entry: PricingEntry, provider: string, model: string): boolean =>
  entry.provider === provider && entry.model === model;

/** Finds the price of a model by its exact names, without aliases. */
export const findEntry = ({ entries }: PricingSpec, provider: string, model: string): PricingEntry | undefined =>
  entries.find((entry) => hasNames(entry, provider, model));

/** Replaces the price of a model, or adds it at the end. All other prices stay the same. */
export function putEntry({ entries, ...rest }: PricingSpec, entry: PricingEntry): PricingSpec {
  const at = entries.findIndex((other) => hasNames(other, entry.provider, entry.model));
  return { ...rest, entries: at < 0 ? [...entries, entry] : entries.with(at, entry) };
}

/** Removes the price of a model. All other prices stay the same. */
export const removeEntry = ({ entries, ...rest }: PricingSpec, provider: string, model: string): PricingSpec => ({
  ...rest,
  entries: entries.filter((entry) => !hasNames(entry, provider, model)),
});

/**
 * Whether a version is staged. A version with immediate effect (`effective_from` equals
 * `created_at`) never is, even if the clock of the reading replica is slow.
 */
export const isStaged = ({ effective_from, created_at }: VersionTimes, now: string): boolean =>
  effective_from > now && effective_from > created_at;

/** Returns the state of a version. @param inEffect id of the version in effect */
export function getVersionState(version: VersionTimes, inEffect: string | undefined, now: string): VersionState {
  if (version.withdrawn_at !== null) return 'withdrawn';
  if (version.id === inEffect) return 'in_effect';
  return isStaged(version, now) ? 'staged' : 'superseded';
}

/** Finds a violation in the price of one model: exactly one block is required, with valid rates. */
export function findEntryViolation(entry: PricingEntry): CatalogViolation | undefined {
  return catchViolation(() => {
    const { vendor, block } = getRateBlock(entry);
    try {
      readRates(vendor, block);
    } catch (error) {
      throw error instanceof RatesError ? new RatesError(`${vendor}.${error.field}`, error.reason) : error;
    }
  });
}

/** Finds the first violation in the prices of a catalog. */
export const findSpecViolation = (spec: PricingSpec): CatalogViolation | undefined =>
  catchViolation(() => new PriceList(spec));

/** Finds aliases of other aliases. A lookup follows one alias at most. */
export function findAliasViolations(aliases: ProviderAliases): CatalogViolation[] {
  return Object.entries(aliases).flatMap(([alias, provider]) =>
    Object.hasOwn(aliases, provider)
      ? [{ path: [alias], message: 'must stand for a provider, not for another alias' }]
      : [],
  );
}

function catchViolation(validate: () => unknown): CatalogViolation | undefined {
  try {
    validate();
    return undefined;
  } catch (error) {
    if (!(error instanceof RatesError)) throw error;
    return toViolation(error);
  }
}

const ALL_BLOCKS = VENDORS.join(', ');

/**
 * Converts the field of an error, such as `entries[3].openai.promptSizeTiers[0].aboveTokens`, to a
 * path. A wrong number of blocks has no field: the message names the blocks.
 */
function toViolation({ field, reason }: RatesError): CatalogViolation {
  const isAboutBlocks = field.endsWith(ALL_BLOCKS);
  const path = (isAboutBlocks ? field.slice(0, -ALL_BLOCKS.length) : field)
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return { path, message: isAboutBlocks ? `${ALL_BLOCKS}: ${reason}` : reason };
}

/** Above this number of changed prices, an audit event names `entries` instead. */
const MAX_CHANGED_ENTRIES = 100;

/** The name of a price in audit events: its path. Only the model can contain slashes. */
export const formatEntryName = (provider: string, model: string): string =>
  `entries/${encodeURIComponent(provider)}/${model}`;

/**
 * Lists the names of the differences between two catalogs, in alphabetical order. The order of keys
 * and of entries does not matter.
 */
export function listChangedFields(before: Catalog, after: Catalog): string[] {
  const [previous, next] = [indexPrices(before), indexPrices(after)];
  const entries = [...new Set([...previous.keys(), ...next.keys()])].filter(
    (name) => !isDeepStrictEqual(previous.get(name), next.get(name)),
  );
  return [
    ...(entries.length > MAX_CHANGED_ENTRIES ? ['entries'] : entries),
    ...(isDeepStrictEqual(before.provider_aliases, after.provider_aliases) ? [] : ['provider_aliases']),
    ...(isDeepStrictEqual(before.spec.tools ?? {}, after.spec.tools ?? {}) ? [] : ['tools']),
  ].sort();
}

const indexPrices = ({ spec }: Catalog): Map<string, PricingEntry> =>
  new Map(spec.entries.map((entry) => [formatEntryName(entry.provider, entry.model), entry]));
