import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { type Replica, startReplica } from './replica.ts';
import { Gateway, limit, price, type Receipt } from './usage-scene.ts';

const DAY_MS = 86_400_000;

describe('usage older than the retention', () => {
  /** A service that deletes no usage. */
  let manager: TestManager;
  let replicas: Replica[] = [];
  const gateway = new Gateway(() => manager);
  const reports = [200, 120, 90, 70, 0].map((days) => ({
    interaction_id: `of ${days} days ago`,
    event_time: new Date(Date.now() - days * DAY_MS).toISOString(),
  }));

  beforeAll(async () => {
    manager = await startManager();
    await price(manager);
    await limit(manager, 'user', 'alice', '1', 'year');
    const results = await gateway.results(...reports.map((report) => gateway.report(report)));
    expect(results.map(({ status }) => status)).toEqual(results.map(() => 'charged'));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  });

  const read = async <Body>(path: `GET ${string}`, query: Record<string, string>) => {
    const { status, body } = await manager.client.call<Body>(path, { token: manager.tokens.admin, query });
    expect(status).toBe(200);
    return body;
  };
  const now = new Date().toISOString();
  /** Reads the summary of a time, without the time of the response. */
  const readSummary = async (at: string) => {
    const query = { subject: 'alice', at };
    const { limits_as_of, ...summary } = await read<Record<string, unknown>>('GET /v1/budgets/summary', query);
    expect(String(limits_as_of) >= now).toBe(true);
    return summary;
  };
  const readReports = () =>
    Promise.all([
      read('GET /v1/budgets/breakdown', { scope: 'user', subject_id: 'alice' }),
      read('GET /v1/budgets/spend', { from: new Date(Date.now() - 300 * DAY_MS).toISOString().slice(0, 10) }),
      readSummary(now),
      readSummary(reports[0]!.event_time),
      manager.sql('SELECT * FROM budget_cells ORDER BY subject_id, period, period_start'),
      manager.sql('SELECT * FROM spend_daily ORDER BY day'),
    ]);
  const listEvents = async () =>
    (
      await read<{ events: { interaction_id: string }[] }>('GET /v1/budgets/events', {
        from: new Date(Date.now() - 390 * DAY_MS).toISOString(),
      })
    ).events.map(({ interaction_id }) => interaction_id);

  it('is deleted by months by any replica without a change of the sums', async () => {
    const before = await readReports();
    expect(await listEvents()).toHaveLength(reports.length);
    // The next check creates the partitions of late events and moves their rows there.
    const [moved] = await manager.sql<{ rows: number }>('SELECT count(*)::int AS rows FROM usage_events_other');
    expect(moved?.rows).toBe(reports.length - 1);
    await manager.sql('SELECT ensure_usage_partitions(current_date, current_date)');
    expect(await manager.sql('SELECT FROM usage_events_other')).toEqual([]);
    const environment = { USAGE_RETENTION_DAYS: '80' };
    replicas = await Promise.all([startReplica(manager, { environment }), startReplica(manager, { environment })]);
    const cut = new Date(Date.now() - 81 * DAY_MS);
    const keptFrom = Date.UTC(cut.getUTCFullYear(), cut.getUTCMonth(), 1);
    const kept = reports.filter(({ event_time }) => Date.parse(event_time) >= keptFrom);
    expect(kept.length).toBeLessThan(reports.length);
    while ((await listEvents()).length > kept.length) await sleep(50);
    expect(await listEvents()).toEqual(kept.map(({ interaction_id }) => interaction_id).reverse());
    expect(await readReports()).toEqual(before);
    const start = new Date(keptFrom).toISOString();
    const left = await ledgerDifferences(manager.sql, start);
    // A yearly cell began before the remaining months.
    expect(left.filter((difference) => !difference.includes(' year '))).toEqual([]);
  }, 90_000);

  it('is not accepted again, with or without the record of its report', async () => {
    const [oldest] = reports;
    const repeatReport = async (): Promise<(Receipt | undefined)[]> => {
      const event = gateway.report(oldest);
      const responses = await Promise.all(
        replicas.map((replica) =>
          replica.call({
            ...{ method: 'POST', path: '/webhooks/budgets/usage', token: manager.tokens.gateway },
            body: { events: [event] },
          }),
        ),
      );
      // A replica with a longer retention also reads that the month was dropped.
      return [...responses.map(({ body }) => (body['results'] as Receipt[])[0]), (await gateway.results(event))[0]];
    };
    for (const receipt of await repeatReport()) expect(['duplicate', 'rejected']).toContain(receipt?.status);
    await manager.sql(`UPDATE usage_retention SET kept_since = now() - interval '1 hour'`);
    const [gone] = await manager.sql<{ rows: number }>('SELECT forget_expired_usage(1000) AS rows');
    expect(gone?.rows).toBeGreaterThan(0);
    const before = await manager.sql('SELECT * FROM budget_cells ORDER BY subject_id, period, period_start');
    for (const receipt of await repeatReport())
      expect(receipt).toEqual({ status: 'rejected', error: expect.stringContaining('event_time') });
    expect(await manager.sql('SELECT * FROM budget_cells ORDER BY subject_id, period, period_start')).toEqual(before);
  }, 60_000);
});
