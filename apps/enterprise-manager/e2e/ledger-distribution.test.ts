import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import pg from 'pg';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeGroup } from './connector-scene.ts';
import { ledgerDifferences } from './ledger.ts';
import { Actor } from './ledger-actors.ts';
import { Dice } from './ledger-dice.ts';
import { publishPrices } from './ledger-model.ts';
import { Observer } from './ledger-observer.ts';
import { Sender } from './ledger-sender.ts';
import { sendTo } from './replica.ts';
import { readDistributionColumns } from '../src/billing/partitions/distribution-columns.fixture.ts';

const DOCUMENT = resolve(import.meta.dirname, '../../../docs/scale.md');
const PARTS = 4;
const MONTHLY = ['usage_events'];
const STEPS = 120;
const ACTORS = 4;

/**
 * Partitions each table on one Postgres by the hash of its distribution column (docs/scale.md). A
 * key or conflict clause that cannot work on several nodes fails here too.
 */
describe('the ledger, with its tables partitioned over four parts', () => {
  let manager: TestManager;
  let owner: pg.Client;
  let distributed: [string, string][];

  beforeAll(async () => {
    manager = await startManager();
    owner = new pg.Client({ connectionString: manager.database.ownerUrl });
    await owner.connect();
    const columns = readDistributionColumns(await readFile(DOCUMENT, 'utf8'));
    distributed = [...columns].flatMap(([table, column]): [string, string][] =>
      column === undefined ? [] : [[table, column]],
    );
    for (const [table, column] of distributed)
      await (MONTHLY.includes(table) ? distributeMonths(table, column) : distributeTable(table, column));
    await publishPrices(manager);
  }, 120_000);
  afterAll(async () => {
    await owner.end();
    await manager.close();
  });

  const createParts = async (table: string) => {
    for (let part = 0; part < PARTS; part += 1)
      await owner.query(
        `CREATE TABLE ${table}_part${part} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTS}, REMAINDER ${part})`,
      );
  };

  const distributeTable = async (table: string, column: string): Promise<void> => {
    const { rows: triggers } = await owner.query<{ text: string }>(
      `SELECT pg_get_triggerdef(oid) AS text FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal`,
      [table],
    );
    await owner.query(`ALTER TABLE ${table} RENAME TO ${table}_whole`);
    await owner.query(`CREATE TABLE ${table} (LIKE ${table}_whole INCLUDING ALL) PARTITION BY HASH (${column})`);
    await createParts(table);
    await owner.query(`DROP TABLE ${table}_whole`);
    for (const { text } of triggers) await owner.query(text);
  };

  /** Distributes each month and the default partition. */
  const distributeMonths = async (table: string, column: string): Promise<void> => {
    const { rows } = await owner.query<{ name: string; bounds: string }>(
      `SELECT oid::regclass::text AS name, pg_get_expr(relpartbound, oid) AS bounds FROM pg_class
       WHERE oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass)`,
      [table],
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { name, bounds } of rows) {
      await owner.query(`DROP TABLE ${name}`);
      await owner.query(`CREATE TABLE ${name} PARTITION OF ${table} ${bounds} PARTITION BY HASH (${column})`);
      await createParts(name);
      await owner.query(`SELECT keep_rights($1, '{}')`, [name]);
    }
  };

  it('passes all checks', async () => {
    const dice = new Dice(4_711);
    const sender = new Sender(manager.tokens.gateway, () => ({ call: (request) => sendTo(manager.baseUrl, request) }));
    const group = await makeGroup(manager, 'bob');
    await manager.sql(
      `INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ('alice', 'user', 'month', 1), ('alice', 'user', 'day', 0.8), ($1, 'group', 'day', 1.2)`,
      [group],
    );
    const steady = [
      { payer: 'user alice', period: 'month' as const },
      { payer: 'user alice', period: 'day' as const },
      { payer: `group ${group}`, period: 'day' as const },
    ];
    const callers = ['alice', 'bob'].map((subject) => ({
      ...{ user: subject, principal: { issuer: manager.issuer.issuer, subject }, revoked: false },
    }));
    const observer = new Observer(manager.sql, sender, steady);
    const act = async (own: Dice) => {
      const actor = new Actor(own, sender, manager.sql, () => callers);
      for (let step = 0; step < STEPS; step += 1) await actor.act();
    };
    await Promise.all(Array.from({ length: ACTORS }, (_, at) => act(dice.fork(at))));
    await sender.settleAll();
    expect(sender.problems).toEqual([]);
    expect([await observer.findDifferences(), await observer.findLost(true)]).toEqual([[], []]);
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
    for (const what of ['admitted', 'denied budget_exhausted', 'charged', 'duplicate', 'lease granted'])
      expect([what, (sender.counts.get(what) ?? 0) > 0]).toEqual([what, true]);
    const { body } = await manager.client.call<{ total_used_usd: string }>('GET /v1/budgets/breakdown', {
      token: manager.tokens.admin,
      query: { scope: 'user', subject_id: 'alice', period: 'month' },
    });
    const [cell] = await manager.sql<{ used: string }>(
      `SELECT used_usd::text AS used FROM budget_cells WHERE subject_id = 'alice' AND period = 'month' ORDER BY period_start DESC LIMIT 1`,
    );
    expect(body.total_used_usd).toBe(cell?.used);
  }, 120_000);

  it('stores the rows of an interaction in the same part of each table, and uses all parts', async () => {
    const places = await manager.sql<{ tables: string; parts: string; places: string }>(`
      WITH rows AS (
        SELECT interaction_id, 'claims' AS what, right(tableoid::regclass::text, 1) AS part FROM usage_claims
        UNION ALL SELECT interaction_id, 'events', right(tableoid::regclass::text, 1) FROM usage_events
      )
      SELECT (SELECT count(DISTINCT what) FROM rows)::text AS tables, (SELECT count(DISTINCT part) FROM rows)::text AS parts,
        (SELECT max(places) FROM (SELECT count(DISTINCT part) AS places FROM rows GROUP BY interaction_id) AS each)::text AS places`);
    expect(places).toEqual([{ tables: '2', parts: String(PARTS), places: '1' }]);
  });

  it('settles one event in one part for its interaction, one for its payer, and one for the totals', async () => {
    const sender = new Sender(manager.tokens.gateway, () => ({ call: (request) => sendTo(manager.baseUrl, request) }));
    const subject = `user ${randomUUID()}`;
    const principal = { issuer: manager.issuer.issuer, subject };
    const sent = sender.record(
      {
        ...{ interaction_id: randomUUID(), attempt: 1, principal, user: subject, model: 'model-a' },
        ...{ admitted_at: new Date().toISOString(), reservation_id: '', payer: undefined, reserved: 0n, holds: false },
      },
      { prompt_tokens: 10, completion_tokens: 10 },
    );
    await sender.report([sent]);
    const [event] = await manager.sql<{ xid: string }>(
      'SELECT xmin::text AS xid FROM usage_events WHERE interaction_id = $1',
      [sent.event.interaction_id],
    );
    const written = new Map<string, Set<string>>();
    for (const [table, column] of distributed) {
      const rows = await manager.sql<{ part: string }>(
        `SELECT DISTINCT right(tableoid::regclass::text, 1) AS part FROM ${table} WHERE xmin::text = $1`,
        [event?.xid],
      );
      written.set(column, new Set([...(written.get(column) ?? []), ...rows.map(({ part }) => part)]));
    }
    expect([...written].map(([column, { size }]) => [column, size]).sort()).toEqual([
      // The counts of denials, which a settlement does not change.
      ['id', 0],
      ['interaction_id', 1],
      ['stripe', 1],
      ['subject_id', 1],
    ]);
  });
});
