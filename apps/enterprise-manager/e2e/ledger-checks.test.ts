import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { publishPrices } from './ledger-model.ts';
import { Observer } from './ledger-observer.ts';
import { Sender } from './ledger-sender.ts';
import { sendTo } from './replica.ts';

/** Wrong states of a faulty service. Each is created in a transaction that is rolled back. */
const FAULTS: Record<string, string> = {
  'a lost charge': 'UPDATE usage_events SET charged_usd = NULL, basis = NULL, usage = NULL, pricing_catalog_id = NULL',
  'a lost event': 'DELETE FROM usage_events WHERE id = (SELECT id FROM usage_events LIMIT 1)',
  'a duplicate event': `INSERT INTO usage_events SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).* FROM usage_events e LIMIT 1`,
  'a charged event that is still marked as unpriced': `INSERT INTO unpriced_events (event_time, event_id, interaction_id, provider, model)
    SELECT event_time, id, interaction_id, provider, model FROM usage_events LIMIT 1`,
  'a charge that differs by a billionth': `UPDATE charges SET charged_usd = charged_usd + 0.000000001 WHERE id = (SELECT id FROM charges LIMIT 1)`,
  'a charge of another payer': `UPDATE charges SET subject_id = 'bob' WHERE id = (SELECT id FROM charges LIMIT 1)`,
  'a cell that differs by a billionth': `UPDATE budget_cells SET used_usd = used_usd + 0.000000001 WHERE period = 'day'`,
  'a reservation that is missing in a cell': `UPDATE budget_cells SET reserved_usd = 0 WHERE period = 'month'`,
  'a deleted reservation that a cell still holds': `DELETE FROM reservations`,
  'a sum by day without a charge': `UPDATE spend_daily SET charged_usd = 0`,
  'a sum by model without a charge': `UPDATE spend_by_model SET charge_count = charge_count - 1`,
  'a total without a charge': `UPDATE spend_totals SET charge_count = charge_count - 1`,
  'an exceeded limit': `UPDATE budgets SET limit_usd = 0.00001`,
};

describe('the checks of the ledger', () => {
  let manager: TestManager;
  let sender: Sender;
  let session: pg.Client;
  const steady = [{ payer: 'user alice', period: 'month' as const }];

  beforeAll(async () => {
    manager = await startManager();
    await publishPrices(manager);
    await manager.sql(
      `INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ('alice', 'user', 'month', 1)`,
    );
    sender = new Sender(manager.tokens.gateway, () => ({ call: (request) => sendTo(manager.baseUrl, request) }));
    session = new pg.Client({ connectionString: manager.database.adminUrl });
    await session.connect();
    const principal = { issuer: manager.issuer.issuer, subject: 'alice' };
    const size = { prompt_tokens: 1_000, max_output_tokens: 1_000 };
    for (let at = 0; at < 3; at += 1) {
      const admitted = await sender.admit(principal, 'alice', 'model-a', size, randomUUID());
      if (admitted === undefined) throw new Error('a first admission is denied');
      if (at > 0) await sender.report([sender.record(admitted, { prompt_tokens: 999, completion_tokens: 777 })]);
    }
  }, 60_000);
  afterAll(async () => {
    await session.end();
    await manager.close();
  });

  const sql: TestManager['sql'] = async <Row>(text: string, params: unknown[] = []) =>
    (await session.query(text, params)).rows as Row[];
  const found = async () => {
    const observer = new Observer(sql, sender, steady);
    return [
      ...(await observer.findDifferences()),
      ...(await observer.findLost(true)),
      ...(await ledgerDifferences(sql)),
    ];
  };

  it('find no difference in a correct ledger', async () => {
    expect([await found(), sender.problems]).toEqual([[], []]);
  });

  it.each(Object.entries(FAULTS))('find %s', async (_, fault) => {
    await session.query('BEGIN');
    try {
      const { rowCount } = await session.query(fault);
      expect(rowCount).toBeGreaterThan(0);
      expect((await found()).length).toBeGreaterThan(0);
    } finally {
      await session.query('ROLLBACK');
    }
  });
});
