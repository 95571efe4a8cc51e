import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { type Replica, startReplica } from './replica.ts';
import { cell, Gateway, price, type Receipt, reserve } from './usage-scene.ts';

const AT = '2026-05-05T12:00:00.000Z';

describe('usage reported to several replicas at once', () => {
  let manager: TestManager;
  let catalog: string;
  let replicas: Replica[] = [];
  const gateway = new Gateway(() => manager);
  beforeAll(async () => {
    manager = await startManager();
    catalog = await price(manager);
    replicas = await Promise.all([startReplica(manager), startReplica(manager)]);
  }, 90_000);
  afterEach(async () => expect(await ledgerDifferences(manager.sql)).toEqual([]));
  afterAll(async () => {
    for (const replica of replicas) await replica.kill();
    await manager.close();
  });

  const send = async (replica: number, events: unknown[]): Promise<Receipt[]> => {
    const { status, body } = await replicas[replica % replicas.length]!.call({
      method: 'POST',
      path: '/webhooks/budgets/usage',
      token: manager.tokens.gateway,
      body: { events },
    });
    expect([status, body['error']]).toEqual([200, undefined]);
    return body['results'] as Receipt[];
  };
  const countStatuses = (receipts: Receipt[]) => {
    const counts: Record<string, number> = {};
    for (const { status } of receipts) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  it('is charged once for each attempt when each batch arrives twenty times in parallel and in any order', async () => {
    const principal = gateway.person('twenty');
    const reports = Array.from({ length: 200 }, () => gateway.report({ principal, event_time: AT }));
    for (const { interaction_id } of reports.slice(0, 100))
      await reserve(manager, { interaction_id, subject: 'twenty', catalog, admitted_at: AT });
    const batches = Array.from({ length: 20 }, (_, n) => [...reports.slice(n * 10), ...reports.slice(0, n * 10)]);
    const receipts = (
      await Promise.all(batches.map((batch, n) => send(n, n % 2 === 0 ? batch : [...batch].reverse())))
    ).flat();
    expect(countStatuses(receipts)).toEqual({ charged: 200, duplicate: 3_800 });
    expect(new Set(receipts.map(({ event_id }) => event_id)).size).toBe(200);
    expect(new Set(receipts.map(({ charged_usd }) => charged_usd))).toEqual(new Set(['0.003500000']));
    expect(await cell(manager, 'twenty', 'day', '2026-05-05')).toEqual({
      used: '0.700000000',
      reserved: '0.000000000',
    });
  }, 60_000);

  it('keeps one of many different reports of an attempt', async () => {
    const { interaction_id } = gateway.report();
    const reports = Array.from({ length: 16 }, (_, n) =>
      gateway.report({
        interaction_id,
        principal: gateway.person('one'),
        event_time: AT,
        raw_usage: { prompt_tokens: n + 1 },
      }),
    );
    const receipts = (await Promise.all(reports.map((report, n) => send(n, [report])))).flat();
    expect(countStatuses(receipts)).toEqual({ charged: 1, conflict: 15 });
    const charged = receipts.find(({ status }) => status === 'charged');
    expect(new Set(receipts.map(({ charged_usd }) => charged_usd))).toEqual(new Set([charged?.charged_usd]));
  });

  it('causes no deadlock and no lost sum for the same users, models and groups', async () => {
    const subjects = Array.from({ length: 12 }, (_, n) => `crowd-${n}`);
    const payers = [randomUUID(), randomUUID()].map((subject_id) => ({ scope: 'group' as const, subject_id }));
    const batches = await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        const batch = Array.from({ length: 60 }, (_, at) => {
          const subject = subjects[(at * 7 + n) % subjects.length] ?? '';
          return gateway.report({
            principal: gateway.person(subject),
            event_time: at % 2 ? AT : '2026-04-30T00:00:00Z',
          });
        });
        for (const { interaction_id, principal } of batch.slice(0, 6))
          await reserve(manager, {
            ...{ interaction_id, catalog, admitted_at: AT, payer: payers[n % 2] },
            subject: (principal as { subject: string }).subject,
          });
        return n % 2 === 0 ? batch : batch.reverse();
      }),
    );
    const receipts = (await Promise.all(batches.map((batch, n) => send(n, batch)))).flat();
    expect(countStatuses(receipts)).toEqual({ charged: 1_440 });
    const [sums] = await manager.sql<{ usd: string }>(
      `SELECT sum(used_usd)::text AS usd FROM budget_cells WHERE period = 'year' AND (subject_id ~ '^crowd-' OR subject_id = ANY ($1))`,
      [payers.map(({ subject_id }) => subject_id)],
    );
    expect(sums).toEqual({ usd: '5.040000000' });
  }, 60_000);

  it('is charged once when its reservation expires at the same moment', async () => {
    const reports = Array.from({ length: 40 }, () =>
      gateway.report({ principal: gateway.person('expiring'), event_time: AT }),
    );
    for (const { interaction_id } of reports)
      await reserve(manager, { interaction_id, subject: 'expiring', catalog, admitted_at: AT });
    // Expires a reservation as the sweeper does, concurrently with its settlement.
    const expireReservation = async (interaction_id: string) =>
      manager.sql(
        `WITH over AS (UPDATE reservations r SET held_usd = 0, released_at = now() FROM (SELECT id, subject_id, held_usd, admitted_at FROM reservations
           WHERE interaction_id = $1 AND released_at IS NULL FOR UPDATE) AS o WHERE r.id = o.id AND r.subject_id = o.subject_id RETURNING o.*)
         UPDATE budget_cells c SET reserved_usd = reserved_usd - over.held_usd FROM over
         WHERE c.subject_id = over.subject_id AND c.scope = 'user' AND c.period_start = date_trunc(c.period, over.admitted_at AT TIME ZONE 'UTC')::date`,
        [interaction_id],
      );
    const [receipts] = await Promise.all([
      Promise.all(reports.map((report, n) => send(n, [report]))),
      Promise.all(reports.map(({ interaction_id }) => expireReservation(interaction_id))),
    ]);
    expect(countStatuses(receipts.flat())).toEqual({ charged: 40 });
    expect(await cell(manager, 'expiring', 'day', '2026-05-05')).toEqual({
      used: '0.140000000',
      reserved: '0.000000000',
    });
  }, 60_000);
});
