import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { readAllCharges, sumAmounts } from './spend-scene.ts';
import { limit, price, type Receipt, USAGE } from './usage-scene.ts';

interface Entry {
  value: string;
  used_usd: string;
}
interface Breakdown extends Record<'by_model' | 'by_provider' | 'by_user', Entry[]> {
  total_used_usd: string;
}

const MODELS = ['m', 'n', 'o'];
const BATCHES = 60;

describe('spend during ingest of usage', () => {
  let manager: TestManager;
  let group: string;
  beforeAll(async () => {
    manager = await startManager();
    await price(
      manager,
      MODELS.map((model) => ({
        provider: 'openai',
        model,
        openai: { inputUsdPerMillion: '2.5', outputUsdPerMillion: '10' },
      })),
    );
    group = await makeGroup(manager, 'alice');
    await manager.client.call('PUT /v1/groups/{group_id}/users/{user_id}', {
      token: manager.tokens.admin,
      path: { group_id: group, user_id: await manager.findUserId('bob') },
    });
    await limit(manager, 'group', group, '1000000');
  }, 60_000);
  afterAll(() => manager.close());

  const report = async (): Promise<void> => {
    const events = Array.from({ length: 20 }, () => {
      const model = MODELS[Math.floor(Math.random() * MODELS.length)] ?? '';
      return {
        interaction_id: randomUUID(),
        attempt: 1,
        event_time: new Date().toISOString(),
        gateway_id: 'local-ai',
        principal: { issuer: manager.issuer.issuer, subject: Math.random() < 0.5 ? 'alice' : 'bob' },
        provider: 'openai',
        route: 'chat',
        requested_model: model,
        model,
        outcome: 'delivered',
        upstream_status: 200,
        duration_ms: 10,
        raw_usage: { prompt_tokens: Math.floor(Math.random() * 1_000), completion_tokens: 7 },
      };
    });
    const { body } = await manager.client.call<{ results: Receipt[] }>(USAGE, {
      token: manager.tokens.gateway,
      body: { events },
    });
    expect(new Set(body.results.map(({ status }) => status))).toEqual(new Set(['charged']));
  };
  const readBreakdown = async (period: string): Promise<Breakdown> =>
    (
      await manager.client.call<Breakdown>('GET /v1/budgets/breakdown', {
        token: manager.tokens.auditor,
        query: { scope: 'group', subject_id: group, period },
      })
    ).body;
  const sumEntries = (entries: readonly Entry[]) => sumAmounts(entries.map(({ used_usd }) => used_usd));

  it('has equal totals by each dimension in every response and never decreases', async () => {
    let [reported, reading] = [0, true];
    const reportBatches = async () => {
      while (reported < BATCHES) {
        reported += 1;
        await report();
      }
    };
    const readBreakdowns = async () => {
      let last = 0;
      while (reading) {
        for (const period of ['month', 'day', 'year']) {
          const { total_used_usd: total, by_model, by_provider, by_user } = await readBreakdown(period);
          expect([sumEntries(by_model), sumEntries(by_provider), sumEntries(by_user)]).toEqual([total, total, total]);
          expect(Number(total)).toBeGreaterThanOrEqual(last);
          last = Number(total);
        }
      }
    };
    const readers = Promise.all(
      [readBreakdowns(), readBreakdowns()].map((one) => one.catch((error: unknown) => error)),
    );
    await Promise.all([reportBatches(), reportBatches(), reportBatches()]);
    reading = false;
    expect(await readers).toEqual([undefined, undefined]);
  });

  it('is the same amount in breakdown, slices, series, export, charges and budget cell', async () => {
    const { total_used_usd: total } = await readBreakdown('month');
    const get = async <Body>(operation: string, call: object): Promise<Body> =>
      (await manager.client.call<Body>(operation, { token: manager.tokens.admin, ...call })).body;
    const payer = { scope: 'group', subject_id: group };
    const slices = await Promise.all(
      ['user', 'model'].map((dimension) =>
        get<{ total_used_usd: string }>('GET /v1/budgets/groups/{id}', { path: { id: group }, query: { dimension } }),
      ),
    );
    const series = await get<{ buckets: { usd: string }[] }>('GET /v1/budgets/spend', { query: payer });
    const csv = await get<string>('GET /v1/budgets/spend/export', { query: { ...payer, group_by: 'user,model' } });
    const charges = await readAllCharges(manager, payer);
    const cells = await manager.sql<{ usd: string }>(
      `SELECT used_usd::text AS usd FROM budget_cells WHERE subject_id = $1 AND period = 'month'`,
      [group],
    );
    expect({
      slices: slices.map(({ total_used_usd: usd }) => usd),
      series: sumAmounts(series.buckets.map(({ usd }) => usd)),
      export: sumAmounts(
        csv
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',').at(-1) ?? ''),
      ),
      charges: sumAmounts(charges.map(({ charged_usd: usd }) => usd)),
      cells: cells.map(({ usd }) => usd),
    }).toEqual({ slices: [total, total], series: total, export: total, charges: total, cells: [total] });
    expect(charges).toHaveLength(BATCHES * 20);
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });
});
