import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { Gateway, price, reserve } from './usage-scene.ts';

describe('the checker of the ledger', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  it('finds no difference in an empty ledger', async () => {
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });

  it('finds each surplus or missing nano-dollar and row', async () => {
    const gateway = new Gateway(() => manager);
    const catalog = await price(manager);
    const payer = { scope: 'group' as const, subject_id: '00000000-0000-4000-8000-000000000001' };
    const { interaction_id } = gateway.report();
    await reserve(manager, { interaction_id, catalog, payer });
    await reserve(manager, { interaction_id: 'open', catalog });
    await gateway.results(gateway.report({ interaction_id }), gateway.report(), gateway.report({ model: 'none' }));
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
    const nano = '0.000000001';
    const faults: [string, string, string][] = [
      [
        'used of cell',
        `UPDATE budget_cells SET used_usd = used_usd + ${nano}`,
        `UPDATE budget_cells SET used_usd = used_usd - ${nano}`,
      ],
      [
        'reserved of cell',
        `UPDATE reservations SET held_usd = held_usd - ${nano}`,
        `UPDATE reservations SET held_usd = held_usd + ${nano}`,
      ],
      ...['spend_daily', 'group_spend_daily', 'group_spend_by_person', 'spend_by_model', 'spend_totals'].flatMap(
        (table): [string, string, string][] => [
          [
            `sum of ${table}`,
            `UPDATE ${table} SET charged_usd = charged_usd + ${nano}`,
            `UPDATE ${table} SET charged_usd = charged_usd - ${nano}`,
          ],
          [
            `count of ${table}`,
            `UPDATE ${table} SET charge_count = charge_count + 1`,
            `UPDATE ${table} SET charge_count = charge_count - 1`,
          ],
        ],
      ),
      [
        'event of claim',
        `UPDATE usage_claims SET attempt = attempt + 1`,
        `UPDATE usage_claims SET attempt = attempt - 1`,
      ],
      [
        'charge or unpriced event of event',
        `UPDATE unpriced_events SET event_id = gen_random_uuid()`,
        `UPDATE unpriced_events SET event_id = (SELECT id FROM usage_events WHERE model = 'none')`,
      ],
    ];
    for (const [what, damage, repair] of faults) {
      await manager.sql(damage);
      expect([what, await ledgerDifferences(manager.sql)]).toEqual([
        what,
        expect.arrayContaining([expect.stringContaining(what)]),
      ]);
      await manager.sql(repair);
      expect([what, await ledgerDifferences(manager.sql)]).toEqual([what, []]);
    }
  });
});
