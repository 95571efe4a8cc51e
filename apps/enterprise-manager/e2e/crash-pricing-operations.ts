import { randomUUID } from 'node:crypto';
import { adminRequest, readFlags, type CrashOperation, sendRequest } from './crash-scene.ts';
import type { TestManager } from './enterprise-manager.ts';
import type { Catalog } from './pricing-scene.ts';

const PRICING = '/v1/budgets/pricing';
const RATES = { openai: { inputUsdPerMillion: '1', outputUsdPerMillion: '2' } };

/** Creates a write of the current catalog. */
const createWrite = (manager: TestManager, method: string, path: string, body?: unknown) => ({
  ...adminRequest(manager, method, PRICING + path, body),
  headers: { 'if-match': '*' },
});

/** Sends a write and requires success. */
const requireWrite = async (manager: TestManager, method: string, path: string, body?: unknown): Promise<void> => {
  const { headers } = createWrite(manager, method, path, body);
  const response = await fetch(manager.baseUrl + PRICING + path, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${manager.tokens.admin}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${await response.text()}`);
};

/** Deletes the version that a killed process staged: the next write would be 409. */
async function deleteStaged(manager: TestManager): Promise<void> {
  const rows = await manager.sql<{ effective_from: Date }>(
    'SELECT effective_from FROM pricing_catalogs WHERE effective_from > created_at AND withdrawn_at IS NULL',
  );
  for (const { effective_from } of rows)
    await sendRequest(manager, 'DELETE', `${PRICING}/versions/${effective_from.toISOString()}`);
}

/** The prices of the newest version. */
const NEWEST = `(SELECT spec FROM pricing_catalogs WHERE withdrawn_at IS NULL ORDER BY position DESC LIMIT 1)`;
const PRICES = `jsonb_path_exists(${NEWEST}, '$.entries[*] ? (@.model == $model)', jsonb_build_object('model', $1::text))`;
/** Whether the rest of the catalog is complete. */
const WHOLE = `jsonb_path_exists(${NEWEST}, '$.entries[*] ? (@.model == "gpt-kept")')`;

/** Stores a catalog with one model that no operation changes. @returns the name of a new model */
async function prepareCatalog(manager: TestManager): Promise<string> {
  await deleteStaged(manager);
  await requireWrite(manager, 'PUT', '/entries/openai/gpt-kept', RATES);
  return `org/crash-${randomUUID()}`;
}

/** Writes of the pricing catalog. They share one lock, so they run one after the other. */
export const pricingOperations: CrashOperation[] = [
  {
    name: 'put pricing catalog entry',
    lock: 'pricing catalog',
    isExclusive: true,
    prepare: async (manager) => {
      const model = await prepareCatalog(manager);
      return {
        request: createWrite(manager, 'PUT', `/entries/openai/${model}`, RATES),
        effects: () => readFlags(manager, `${PRICES} AND ${WHOLE} AS priced`, [model]),
      };
    },
  },
  {
    name: 'delete pricing catalog entry',
    lock: 'pricing catalog',
    isExclusive: true,
    prepare: async (manager) => {
      const model = await prepareCatalog(manager);
      await requireWrite(manager, 'PUT', `/entries/openai/${model}`, RATES);
      return {
        request: createWrite(manager, 'DELETE', `/entries/openai/${model}`),
        effects: () => readFlags(manager, `NOT ${PRICES} AND ${WHOLE} AS gone`, [model]),
      };
    },
  },
  {
    name: 'put pricing catalog',
    lock: 'pricing catalog',
    isExclusive: true,
    prepare: async (manager) => {
      const model = await prepareCatalog(manager);
      const { provider_aliases, spec } = (await sendRequest(manager, 'GET', PRICING)) as unknown as Catalog;
      // Other operations need the price of this model.
      const others = spec.entries.filter(({ model: other }) => !/^org\/crash-|^gpt-kept$/.test(other));
      const entries = [...others, { provider: 'openai', model, ...RATES }];
      return {
        request: createWrite(manager, 'PUT', '', {
          provider_aliases: { ...provider_aliases, crash: model },
          spec: { ...spec, entries },
        }),
        effects: () =>
          readFlags(
            manager,
            `${PRICES} AND NOT ${WHOLE} AS replaced,
             EXISTS (SELECT FROM pricing_catalogs WHERE provider_aliases ->> 'crash' = $1) AS aliased`,
            [model],
          ),
      };
    },
  },
  {
    name: 'delete staged pricing catalog version',
    lock: 'pricing catalog',
    isExclusive: true,
    prepare: async (manager) => {
      const model = await prepareCatalog(manager);
      const effective_from = '2998-01-01T00:00:00.000Z';
      const entries = [{ provider: 'openai', model, ...RATES }];
      await requireWrite(manager, 'PUT', '', { effective_from, spec: { entries } });
      return {
        request: adminRequest(manager, 'DELETE', `${PRICING}/versions/${effective_from}`),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM pricing_catalogs WHERE withdrawn_at IS NOT NULL AND spec -> 'entries' -> 0 ->> 'model' = $1) AS withdrawn`,
            [model],
          ),
      };
    },
  },
];
