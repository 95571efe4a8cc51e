import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { waitForLockedStatements } from './standstill.ts';
import { Gateway, price, type Receipt, USAGE } from './usage-scene.ts';

/** The number of batches that arrive while one is blocked. */
const LATER = 6;

describe('batches of usage that arrive at the same time', () => {
  let manager: TestManager;
  let session: pg.Client;
  const gateway = new Gateway(() => manager);
  const send = (events: readonly object[]) =>
    manager.client.call<{ results: Receipt[] }>(USAGE, { token: manager.tokens.gateway, body: { events } });

  beforeAll(async () => {
    manager = await startManager();
    await price(manager);
    session = new pg.Client({ connectionString: manager.database.adminUrl });
    await session.connect();
    await manager.sql(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'never'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON usage_claims FOR EACH ROW WHEN (NEW.interaction_id LIKE 'poison%') EXECUTE FUNCTION refuse()`);
  }, 60_000);
  afterAll(async () => {
    await session.end();
    await manager.close();
  });

  /** Sends the batches while an earlier batch is blocked. */
  const reportTogether = async (batches: readonly (readonly object[])[]) => {
    await session.query('BEGIN');
    await session.query('LOCK TABLE usage_claims IN SHARE MODE');
    const first = send([gateway.report()]);
    await waitForLockedStatements(manager, 'INSERT INTO usage_claims');
    const others = batches.map(send);
    await sleep(300);
    await session.query('COMMIT');
    expect((await first).body.results).toEqual([CHARGED]);
    return Promise.all(others);
  };

  const CHARGED = expect.objectContaining({ status: 'charged' });
  const listTransactions = async (ids: readonly (string | undefined)[]) =>
    (await manager.sql('SELECT DISTINCT xmin::text FROM usage_events WHERE id = ANY ($1::uuid[])', [ids])).length;

  it('are settled together, with the receipts of each batch', async () => {
    const subject = `user-${randomUUID()}`;
    const batches = Array.from({ length: LATER }, (_, at) => [
      gateway.report({ principal: gateway.person(subject), raw_usage: { prompt_tokens: 1_000 * (at + 1) } }),
      { ...gateway.report(), attempt: 0 },
    ]);
    const responses = await reportTogether(batches);
    expect(responses.map(({ body }) => body.results.map(({ status, charged_usd }) => charged_usd ?? status))).toEqual(
      batches.map((_, at) => [`0.${String(25 * (at + 1)).padStart(4, '0')}00000`, 'rejected']),
    );
    expect(await listTransactions(responses.map(({ body }) => body.results[0]?.event_id))).toBeLessThan(LATER);
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });

  it('charge an attempt once if several batches name it', async () => {
    const report = gateway.report();
    const responses = await reportTogether(Array.from({ length: LATER }, () => [report]));
    const results = responses.flatMap(({ body }) => body.results);
    expect(results.map(({ status }) => status).sort()).toEqual([
      'charged',
      ...Array<string>(LATER - 1).fill('duplicate'),
    ]);
    expect(new Set(results.map(({ event_id }) => event_id)).size).toBe(1);
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });

  it('fail separately if the database refuses one of them', async () => {
    const batches = Array.from({ length: LATER }, (_, at) => [
      gateway.report(at === 2 ? { interaction_id: `poison-${randomUUID()}` } : {}),
    ]);
    const responses = await reportTogether(batches);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 500, 200, 200, 200]);
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });

  it('do not wait long for blocked batches', async () => {
    const held = Array.from({ length: 4 }, () => `user-${randomUUID()}`);
    const report = (subject: string) => [gateway.report({ principal: gateway.person(subject) })];
    for (const subject of held) await send(report(subject));
    await session.query('BEGIN');
    await session.query('SELECT FROM budget_cells WHERE subject_id = ANY ($1) FOR UPDATE', [held]);
    const waiting = [];
    for (const [at, subject] of held.entries()) {
      waiting.push(send(report(subject)));
      await waitForLockedStatements(manager, 'INTO budget_cells', at + 1);
    }
    expect((await send(report(`user-${randomUUID()}`))).body.results).toEqual([CHARGED]);
    await session.query('COMMIT');
    expect((await Promise.all(waiting)).map(({ body }) => body.results)).toEqual(held.map(() => [CHARGED]));
    expect(await ledgerDifferences(manager.sql)).toEqual([]);
  });
});
