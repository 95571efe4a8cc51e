import type { GivenObject } from '../../json/input.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { UsageError, CommandFailedError } from '../../errors/cli-error.ts';

/** A catalog with the facts that a command shows about it. */
export interface ShownCatalog {
  readonly catalog: Schemas['PricingCatalog'];
  /** ETag of the catalog in effect, for `--if-match`. */
  readonly etag?: string;
  /** Set for a version that the user selected by id. */
  readonly version?: Schemas['PricingVersion'];
}

/** A rate block as flags describe it: rates in US dollars for a million tokens. */
export interface RateFlags {
  readonly input?: string | undefined;
  readonly output?: string | undefined;
  readonly 'cached-input'?: string | undefined;
  readonly vendor?: string | undefined;
}

const LIST = 'gatehouse admin pricing show';
const VENDORS = ['anthropic', 'openai', 'google'];

/** Reads the catalog in effect. */
export async function pricingCatalog(manager: Manager): Promise<ShownCatalog & { etag: string }> {
  const call = manager.api.GET('/v1/budgets/pricing');
  const catalog = await readResponse(manager, call, { fields: { spec: 'object', effective_from: 'text' } });
  return { catalog, etag: (await call).response.headers.get('etag') ?? '' };
}

/** Reads the prices of models in effect; undefined for a caller who may not read them. */
export const findPrices = (manager: Manager): Promise<readonly Schemas['PricingEntry'][] | undefined> =>
  pricingCatalog(manager).then(
    ({ catalog }) => requireEntries(catalog),
    () => undefined,
  );

/** Reads a version of the catalog by the `pricing_catalog_id` of a charge. */
export async function pricingVersion(manager: Manager, id: string): Promise<ShownCatalog> {
  const found = await readResponse(
    manager,
    manager.api.GET('/v1/budgets/pricing/catalogs/{id}', { params: { path: { id } } }),
    {
      fields: { spec: 'object', effective_from: 'text' },
      list: 'gatehouse admin pricing versions',
    },
  );
  const { provider_aliases, spec, ...version } = found;
  return { catalog: { effective_from: version.effective_from, provider_aliases, spec }, version };
}

/** Reads the price of one model in the catalog in effect. */
export const pricingEntry = (manager: Manager, provider: string, model: string): Promise<Schemas['PricingEntry']> =>
  readResponse(
    manager,
    manager.api.GET('/v1/budgets/pricing/entries/{provider}/{model}', { params: { path: { provider, model } } }),
    { fields: { model: 'text' }, list: LIST },
  );

/** Lists the versions of the catalog, newest first. */
export const pricingVersions = (manager: Manager, wanted: ListOptions): Promise<Collected<Schemas['PricingVersion']>> =>
  collect(wanted, (page) =>
    readResponse(manager, manager.api.GET('/v1/budgets/pricing/versions', { params: { query: page } }), {
      fields: { items: 'list' },
    }),
  );

/**
 * Whether the newest version of the catalog is a baseline of a release. The first version that an
 * operator writes replaces the baselines permanently; a staged version does not if it is deleted
 * before it takes effect.
 */
export async function pricedByReleases(manager: Manager): Promise<boolean> {
  const { items } = await pricingVersions(manager, { limit: 1, all: false });
  return items[0]?.source === 'baseline';
}

/**
 * Replaces or stages the whole catalog.
 * @param from RFC 3339 time that replaces `effective_from` of the document
 * @param etag the state to replace; undefined for the current one
 */
export async function putPricingCatalog(
  manager: Manager,
  { object, asWritten }: GivenObject,
  { from, etag }: { readonly from?: string | undefined; readonly etag?: string | undefined } = {},
): Promise<Schemas['PricingCatalogVersion']> {
  const body = from === undefined ? object : { ...object, effective_from: from };
  return readResponse(
    manager,
    manager.api.PUT('/v1/budgets/pricing', {
      params: { header: { 'If-Match': etag ?? (await pricingCatalog(manager)).etag } },
      // The manager validates the document and names the invalid field.
      body: body as Schemas['PricingCatalogWrite'],
      bodySerializer: () => (from === undefined ? asWritten : JSON.stringify(body)),
    }),
    { fields: { id: 'text', effective_from: 'text' } },
  );
}

/** The model that the arguments name. @throws UsageError unless both names are given */
export function modelNamed(provider?: string, model?: string): { provider: string; model: string } {
  if (provider !== undefined && model !== undefined) return { provider, model };
  throw new UsageError('Give the provider and the model', [
    'gatehouse admin pricing set openai gpt-5.4 --input 2.50 --output 15',
  ]);
}

/** The prices of a catalog. @throws CliError for a response without prices */
export function requireEntries({ spec: { entries } }: Schemas['PricingCatalog']): Schemas['PricingEntry'][] {
  if (Array.isArray(entries)) return entries;
  throw new CommandFailedError('The response contains no prices', ['check --url: the address must not include /v1']);
}

/** Sets the price of one model. @param etag as in `putPricingCatalog` */
export async function setPrice(
  manager: Manager,
  { provider, model }: { readonly provider: string; readonly model: string },
  { object, asWritten }: GivenObject,
  etag: string | undefined,
): Promise<void> {
  await readResponse(
    manager,
    manager.api.PUT('/v1/budgets/pricing/entries/{provider}/{model}', {
      params: { path: { provider, model }, header: { 'If-Match': etag ?? (await pricingCatalog(manager)).etag } },
      body: object,
      bodySerializer: () => asWritten,
    }),
  );
}

/** Deletes the price of one model. @param etag as in `putPricingCatalog` */
export async function deletePrice(
  manager: Manager,
  { provider, model }: { readonly provider: string; readonly model: string },
  etag: string | undefined,
): Promise<void> {
  await readResponse(
    manager,
    manager.api.DELETE('/v1/budgets/pricing/entries/{provider}/{model}', {
      params: { path: { provider, model }, header: { 'If-Match': etag ?? (await pricingCatalog(manager)).etag } },
    }),
    { list: LIST },
  );
}

/**
 * Deletes the staged version.
 * @param effectiveFrom the version's time; undefined for the only staged version
 * @returns the time when it would have taken effect
 */
export async function unstagePricing(manager: Manager, effectiveFrom: string | undefined): Promise<string> {
  const at = effectiveFrom ?? (await stagedVersion(manager));
  await readResponse(
    manager,
    manager.api.DELETE('/v1/budgets/pricing/versions/{effectiveFrom}', { params: { path: { effectiveFrom: at } } }),
    { list: 'gatehouse admin pricing versions' },
  );
  return at;
}

/** The staged version is the newest one, because the manager accepts no version after it. */
async function stagedVersion(manager: Manager): Promise<string> {
  const { items } = await pricingVersions(manager, { limit: 1, all: false });
  const [newest] = items;
  if (newest?.state === 'staged') return newest.effective_from;
  throw new CommandFailedError('No version of the pricing catalog is staged', ['gatehouse admin pricing versions']);
}

/** The rate block that the flags describe. @throws UsageError for missing rates */
export function rateBlock(provider: string, { input, output, vendor, 'cached-input': cached }: RateFlags): GivenObject {
  const named = vendor ?? VENDORS.find((one) => one === provider);
  if (named === undefined)
    throw new UsageError(
      `Give the usage format of ${provider}`,
      VENDORS.map((one) => `--vendor ${one}`),
    );
  const object = {
    [named]: {
      inputUsdPerMillion: input,
      ...(cached !== undefined && { cachedInputUsdPerMillion: cached }),
      outputUsdPerMillion: output,
    },
  };
  return { object, asWritten: JSON.stringify(object) };
}
