import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { randomInt } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { listCellKeys } from '../src/billing/budgets/cell.ts';
import { CellsRepository } from '../src/billing/budgets/cells.repository.ts';
import { SpendRollupsRepository } from '../src/billing/usage-events/spend-rollups.repository.ts';
import type { Charge } from '../src/billing/usage-events/usage-event.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { cell, Gateway, price } from './usage-scene.ts';

const AT = '2026-05-05T12:00:00.000Z';

describe('sums of many small charges', () => {
  let manager: TestManager;
  let dataSource: DataSource;
  const gateway = new Gateway(() => manager);
  beforeAll(async () => {
    manager = await startManager();
    dataSource = await createDataSource({ url: manager.database.url, entities: [] }).initialize();
  }, 60_000);
  afterAll(async () => {
    await dataSource.destroy();
    await manager.close();
  });

  it('are exact after 20,000 reports of a ten-millionth of a dollar, unlike floats', async () => {
    await price(manager, [
      { provider: 'openai', model: 'm', openai: { inputUsdPerMillion: '0.1', outputUsdPerMillion: '0.1' } },
    ]);
    const principal = gateway.person('drift');
    for (let batch = 0; batch < 20; batch += 1) {
      const reports = Array.from({ length: 1_000 }, () =>
        gateway.report({ principal, event_time: AT, raw_usage: { prompt_tokens: 1 } }),
      );
      const results = await gateway.results(...reports);
      expect(new Set(results.map(({ charged_usd }) => charged_usd))).toEqual(new Set(['0.000000100']));
    }
    let float = 0;
    for (let n = 0; n < 20_000; n += 1) float += 0.000_000_1;
    expect(float).not.toBe(0.002);
    for (const [period, start] of [
      ['day', '2026-05-05'],
      ['month', '2026-05-01'],
      ['year', '2026-01-01'],
    ] as const)
      expect(await cell(manager, 'drift', period, start)).toEqual({ used: '0.002000000', reserved: '0.000000000' });
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  }, 120_000);

  it('are exact after 1,000,000 reports on top of an amount for which floats are too imprecise', async () => {
    const payer = { scope: 'group' as const, subject_id: '00000000-0000-4000-8000-00000000000f' };
    const charge: Charge = {
      ...{
        id: '',
        interaction_id: '',
        attempt: 1,
        event_time: AT,
        auth_subject: 'million',
        provider: 'openai',
        model: 'tiny',
      },
      ...{ payer, charge_period: 'month', pricing_catalog_id: '', charged: 1n, basis: 'reported', usage: {} },
    };
    const [cells, rollups] = [new CellsRepository(), new SpendRollupsRepository()];
    const post = (charges: readonly Charge[]) =>
      dataSource.transaction(async (each) => {
        const used = charges.reduce((sum, { charged }) => sum + charged, 0n);
        await cells.applyChanges(
          each,
          listCellKeys(payer, new Date(AT)).map((key) => ({ ...key, used, reserved: 0n })),
        );
        await rollups.add(each, charges);
      });
    await post([{ ...charge, charged: 123_456_789_012n * 1_000_000_000n }]);
    const thousand = Array.from({ length: 1_000 }, () => charge);
    for (let n = 0; n < 1_000; n += 1) await post(thousand);
    expect(await cell(manager, payer.subject_id, 'year', '2026-01-01', 'group')).toMatchObject({
      used: '123456789012.001000000',
    });
    const ofGroup = `subject_id = '${payer.subject_id}'`;
    for (const [table, of] of [
      ['spend_daily', ofGroup],
      ['group_spend_daily', ofGroup],
      ['group_spend_by_person', `${ofGroup} AND period = 'month'`],
      ['group_spend_by_person', `${ofGroup} AND period = 'year'`],
      ['spend_by_model', `model = 'tiny'`],
      ['spend_totals', `scope = 'group'`],
    ] as const) {
      const [sum] = await manager.sql(
        `SELECT sum(charged_usd)::text AS usd, sum(charge_count)::int AS n FROM ${table} WHERE ${of}`,
      );
      expect([table, sum]).toEqual([table, { usd: '123456789012.001000000', n: 1_000_001 }]);
    }
  }, 120_000);

  it('can exceed the maximum of a single amount', async () => {
    const tokens = { inputUsdPerMillion: '9999999', outputUsdPerMillion: '1' };
    await price(manager, [{ provider: 'openai', model: 'expensive', openai: tokens }], '2025-01-01T00:00:00Z');
    const principal = gateway.person('whale');
    const report = () =>
      gateway.report({ principal, model: 'expensive', raw_usage: { prompt_tokens: 10_000_000_000 } });
    const results = await gateway.results(...Array.from({ length: 11 }, report));
    expect(new Set(results.map(({ charged_usd }) => charged_usd))).toEqual(new Set(['99999990000.000000000']));
    const response = await manager.client.call('GET /v1/budgets/breakdown', {
      token: manager.tokens.admin,
      query: { scope: 'user', subject_id: 'whale' },
    });
    const used_usd = '1099999890000.000000000';
    expect(response).toMatchObject({
      status: 200,
      body: {
        total_used_usd: used_usd,
        by_model: [{ value: 'expensive', used_usd }],
        by_user: [{ value: 'whale', used_usd }],
      },
    });
  });

  it('accept all admitted users, with the longest possible names', async () => {
    // Random text, so that compression cannot shorten an index entry.
    const createRandomText = (length: number) =>
      Array.from({ length }, () => String.fromCharCode(randomInt(0x4e00, 0x9fa5))).join('');
    const [provider, model, subject] = [
      `${createRandomText(85)}x`,
      `${createRandomText(170)}xx`,
      createRandomText(255),
    ];
    const openai = { inputUsdPerMillion: '1', outputUsdPerMillion: '1' };
    await price(manager, [{ provider, model, openai }], '2025-02-01T00:00:00Z');
    // The longest id of an issuer has 63 characters.
    const principal = { issuer: 'i'.repeat(63), subject };
    const report = () => gateway.report({ principal, provider, model });
    expect((await gateway.results(report(), report())).map(({ status }) => status)).toEqual(['charged', 'charged']);
  });
});
