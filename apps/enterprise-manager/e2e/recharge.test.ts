import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { cell, Gateway, limit, price, PRICES, reserve } from './usage-scene.ts';

const AT = '2026-05-05T12:00:00.000Z';

describe('a recharge', () => {
  let manager: TestManager;
  let catalog: string;
  const gateway = new Gateway(() => manager);
  beforeAll(async () => {
    manager = await startManager();
    catalog = await price(manager);
  }, 60_000);
  afterEach(async () => expect(await ledgerDifferences(manager.sql)).toEqual([]));
  afterAll(() => manager.close());

  /** Adds prices of models to those that exist. */
  const priceModels = (...models: string[]) =>
    price(manager, [...PRICES, ...models.map((model) => ({ ...PRICES[0], model }))], new Date().toISOString());
  const report = (model: string, overrides: object = {}) =>
    gateway.report({ model, event_time: AT, principal: gateway.person(model), ...overrides });

  it('skips an event whose charge would be too large, and charges the others', async () => {
    const model = `new-${randomUUID()}`;
    const searches = { input_tokens: 1, server_tool_use: { web_search_requests: 10_000_000_000 } };
    const given = [searches, { input_tokens: 1_000 }].map((raw_usage, at) =>
      report(model, { provider: 'anthropic', raw_usage, event_time: `2026-05-05T12:00:0${at}Z` }),
    );
    expect((await gateway.results(...given)).map(({ status }) => status)).toEqual(Array(2).fill('unpriceable'));
    const tokens = { inputUsdPerMillion: '1', outputUsdPerMillion: '1' };
    const priceTools = (webSearchUsdPerThousand: string) =>
      price(manager, [...PRICES, { provider: 'anthropic', model, anthropic: tokens }], new Date().toISOString(), {
        anthropic: { webSearchUsdPerThousand },
      });
    await priceTools('9999999');
    const counts = { charged_usd: '0.001000000', charged_count: 1, priceable_count: 0, unpriceable_count: 1 };
    // The unpriceable event is older, and it does not count against the limit.
    expect((await gateway.recharge({ model, limit: 1 })).body).toMatchObject(counts);
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
    await priceTools('0');
    expect((await gateway.recharge({ model })).body).toMatchObject({
      charged_usd: '0.000001000',
      unpriceable_count: 0,
    });
  });

  it('charges events once their model has a price, in their own windows and to their payers', async () => {
    const model = `new-${randomUUID()}`;
    const interaction_id = randomUUID();
    await limit(manager, 'user', model, '5', 'year');
    await reserve(manager, {
      interaction_id,
      subject: model,
      payer: { scope: 'group', subject_id: randomUUID() },
      catalog,
      admitted_at: AT,
    });
    const reports = [
      report(model),
      report(model, { interaction_id }),
      report(model, { raw_usage: null, estimated_usage: { prompt_tokens: 1_000 } }),
    ];
    expect((await gateway.results(...reports)).map(({ status }) => status)).toEqual(Array(3).fill('unpriceable'));
    expect((await gateway.recharge({ model })).body).toMatchObject({
      charged_count: 0,
      charged_usd: '0.000000000',
      priceable_count: 0,
      unpriceable_count: 3,
    });
    const version = await priceModels(model);
    await manager.sql('DELETE FROM budgets');
    const { status, body } = await gateway.recharge({ model });
    expect([status, body]).toEqual([
      200,
      {
        charged_count: 3,
        charged_usd: '0.009500000',
        pricing_catalog_id: version,
        priceable_count: 0,
        unpriceable_count: 0,
      },
    ]);
    expect(await cell(manager, model, 'month', '2026-05-01')).toEqual({ used: '0.006000000', reserved: '0.000000000' });
    const charges = await manager.sql(
      `SELECT scope, charge_period, basis, charged_usd::text AS usd, pricing_catalog_id = $2 AS now FROM charges WHERE auth_subject = $1 ORDER BY scope, usd`,
      [model, version],
    );
    expect(charges).toEqual([
      { scope: 'group', charge_period: 'month', basis: 'reported', usd: '0.003500000', now: true },
      { scope: 'user', charge_period: 'year', basis: 'estimated', usd: '0.002500000', now: true },
      { scope: 'user', charge_period: 'year', basis: 'reported', usd: '0.003500000', now: true },
    ]);
    // No unpriced event is left, and a repeated report returns the charge.
    expect((await gateway.recharge({ model })).body.charged_count).toBe(0);
    expect((await gateway.results(reports[0]))[0]).toMatchObject({
      status: 'duplicate',
      charged_usd: '0.003500000',
      basis: 'reported',
    });
  });

  it('charges the reserved amount for an admitted attempt without known usage', async () => {
    const model = `new-${randomUUID()}`;
    const interaction_id = randomUUID();
    await reserve(manager, { interaction_id, subject: model, catalog, usd: '0.75', admitted_at: AT });
    await gateway.results(report(model, { interaction_id, raw_usage: null }), report(model, { raw_usage: null }));
    await priceModels(model);
    expect((await gateway.recharge({ model })).body).toMatchObject({ charged_count: 2, charged_usd: '0.750000000' });
  });

  it('charges the selected events, oldest first, up to the limit', async () => {
    const model = `new-${randomUUID()}`;
    const days = ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04'];
    await gateway.results(...days.map((day) => report(model, { event_time: `${day}T00:00:00Z` })));
    await gateway.results(report(model, { provider: 'other' }));
    await priceModels(model);
    expect(
      (await gateway.recharge({ model, from: '2026-05-02T00:00:00Z', to: '2026-05-04T00:00:00Z', limit: 1 })).body,
    ).toMatchObject({
      charged_count: 1,
      priceable_count: 1,
      unpriceable_count: 0,
    });
    const listCharges = () =>
      manager.sql<{ day: string }>('SELECT event_time::date::text AS day FROM charges WHERE model = $1 ORDER BY 1', [
        model,
      ]);
    expect((await listCharges()).map(({ day }) => day)).toEqual(['2026-05-02']);
    expect((await gateway.recharge({ model, limit: 2 })).body).toMatchObject({
      charged_count: 2,
      priceable_count: 1,
      unpriceable_count: 1,
    });
    expect((await listCharges()).map(({ day }) => day)).toEqual(['2026-05-01', '2026-05-02', '2026-05-03']);
    expect((await gateway.recharge({ provider: 'other' })).body).toMatchObject({
      charged_count: 0,
      unpriceable_count: 1,
    });
    expect((await gateway.recharge({ limit: 1_000_000 })).body).toMatchObject({ charged_count: 1, priceable_count: 0 });
  });

  it('skips events that another recharge has locked and counts them as priceable', async () => {
    const model = `new-${randomUUID()}`;
    await gateway.results(report(model));
    await priceModels(model);
    const other = new pg.Client({ connectionString: manager.database.adminUrl });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM unpriced_events WHERE model = $1 FOR UPDATE', [model]);
      expect((await gateway.recharge({ model })).body).toMatchObject({ charged_count: 0, priceable_count: 1 });
    } finally {
      await other.end();
    }
    // Postgres releases the lock once it notices the end of the other connection.
    let left = 1;
    while (left > 0) left = (await gateway.recharge({ model })).body.priceable_count;
    expect(await cell(manager, model, 'day', '2026-05-05')).toEqual({ used: '0.003500000', reserved: '0.000000000' });
  });

  it('charges each event once when several run in parallel', async () => {
    const model = `new-${randomUUID()}`;
    await gateway.results(...Array.from({ length: 300 }, () => report(model)));
    await priceModels(model);
    const responses = await Promise.all(Array.from({ length: 6 }, () => gateway.recharge({ model, limit: 100 })));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(responses.reduce((sum, { body }) => sum + body.charged_count, 0)).toBe(300);
    expect(await cell(manager, model, 'year', '2026-01-01')).toEqual({ used: '1.050000000', reserved: '0.000000000' });
  });

  it('requires the role admin and a valid range', async () => {
    for (const token of [manager.tokens.auditor, manager.tokens.alice, manager.tokens.gateway])
      expect((await gateway.recharge({}, token)).status).toBe(403);
    const backwards = await gateway.recharge({ from: '2026-05-05T00:00:00Z', to: '2026-05-05T00:00:00Z' });
    expect([backwards.status, backwards.body.error]).toEqual([400, 'from: must be before to']);
    for (const body of [{ limit: 0 }, { limit: 1.5 }, { from: 'x' }, { models: [] }])
      expect((await gateway.recharge(body)).status).toBe(400);
  });
});
