import { randomUUID } from 'node:crypto';
import { adminRequest, readFlags, type CrashOperation, sendRequest } from './crash-scene.ts';
import type { TestManager } from './enterprise-manager.ts';
import type { Catalog } from './pricing-scene.ts';

const PRICING = '/v1/budgets/pricing';
const RATES = { openai: { inputUsdPerMillion: '1', outputUsdPerMillion: '2' } };

/** A write of whatever catalog there is. */
const write = (manager: TestManager, method: string, path: string, body?: unknown) => ({
  ...adminRequest(manager, method, PRICING + path, body),
  headers: { 'if-match': '*' },
});

/** Makes a write that has to succeed. */
const written = async (manager: TestManager, method: string, path: string, body?: unknown): Promise<void> => {
  const { headers } = write(manager, method, path, body);
  const answer = await fetch(manager.baseUrl + PRICING + path, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${manager.tokens.admin}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${await answer.text()}`);
};

/** Takes back what a killed process may have left staged, which would refuse the next write. */
async function unstage(manager: TestManager): Promise<void> {
  const rows = await manager.sql<{ effective_from: Date }>(
    'SELECT effective_from FROM pricing_catalogs WHERE effective_from > created_at AND withdrawn_at IS NULL',
  );
  for (const { effective_from } of rows)
    await sendRequest(manager, 'DELETE', `${PRICING}/versions/${effective_from.toISOString()}`);
}

/** What the newest version prices. */
const NEWEST = `(SELECT spec FROM pricing_catalogs WHERE withdrawn_at IS NULL ORDER BY position DESC LIMIT 1)`;
const PRICES = `jsonb_path_exists(${NEWEST}, '$.entries[*] ? (@.model == $model)', jsonb_build_object('model', $1::text))`;
/** The rest of the catalog is there too: a version is stored whole. */
const WHOLE = `jsonb_path_exists(${NEWEST}, '$.entries[*] ? (@.model == "gpt-kept")')`;

/** A catalog with one model that stays through all writes of single prices. */
async function kept(manager: TestManager): Promise<string> {
  await unstage(manager);
  await written(manager, 'PUT', '/entries/openai/gpt-kept', RATES);
  return `org/crash-${randomUUID()}`;
}

/** Writes of the pricing catalog, which is one thing: no two stand still at once. */
export const pricingOperations: CrashOperation[] = [
  {
    name: 'put pricing catalog entry',
    lock: 'pricing catalog',
    prepare: async (manager) => {
      const model = await kept(manager);
      return {
        request: write(manager, 'PUT', `/entries/openai/${model}`, RATES),
        effects: () => readFlags(manager, `${PRICES} AND ${WHOLE} AS priced`, [model]),
      };
    },
  },
  {
    name: 'delete pricing catalog entry',
    lock: 'pricing catalog',
    prepare: async (manager) => {
      const model = await kept(manager);
      await written(manager, 'PUT', `/entries/openai/${model}`, RATES);
      return {
        request: write(manager, 'DELETE', `/entries/openai/${model}`),
        effects: () => readFlags(manager, `NOT ${PRICES} AND ${WHOLE} AS gone`, [model]),
      };
    },
  },
  {
    name: 'put pricing catalog',
    lock: 'pricing catalog',
    prepare: async (manager) => {
      const model = await kept(manager);
      const { provider_aliases, spec } = (await sendRequest(manager, 'GET', PRICING)) as unknown as Catalog;
      // What other operations go by stays priced.
      const others = spec.entries.filter(({ model: other }) => !/^org\/crash-|^gpt-kept$/.test(other));
      const entries = [...others, { provider: 'openai', model, ...RATES }];
      return {
        request: write(manager, 'PUT', '', {
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
    prepare: async (manager) => {
      const model = await kept(manager);
      const effective_from = '2998-01-01T00:00:00.000Z';
      const entries = [{ provider: 'openai', model, ...RATES }];
      await written(manager, 'PUT', '', { effective_from, spec: { entries } });
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
