import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '@gatehouse/service-kit/clock';
import { testServerUrl } from '@gatehouse/testing/postgres';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type AdmissionResponse, admission, makeUsers, makePrices, setBudget } from './admission-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { startReplica } from './replica.ts';
import { Gateway, price, type Receipt } from './usage-scene.ts';

const ADMISSION = 'POST /webhooks/budgets/admission';

class SetClock extends Clock {
  time = new Date();
  override now(): Date {
    return new Date(this.time);
  }
}

describe('the failure classes of docs/failure-classes.md', () => {
  describe('a database in another time zone', () => {
    let manager: TestManager;
    const gateway = new Gateway(() => manager);
    beforeAll(async () => {
      // The settings apply to new connections, so they exist before the service connects.
      manager = await startManager({
        between: async (url) => {
          const admin = new pg.Client({ connectionString: await testServerUrl() });
          await admin.connect();
          const name = admin.escapeIdentifier(new URL(url).pathname.slice(1));
          await admin.query(`ALTER DATABASE ${name} SET TimeZone = 'Pacific/Kiritimati'`);
          await admin.query(`ALTER DATABASE ${name} SET DateStyle = 'SQL, DMY'`);
          await admin.end();
          return url;
        },
      });
      await price(manager);
    }, 60_000);
    afterAll(() => manager.close());

    it('keeps every window, sum and month by UTC', async () => {
      const midnight = new Date(new Date().toISOString().slice(0, 10)).getTime();
      const month = Date.parse(`${new Date().toISOString().slice(0, 7)}-01T00:00:00Z`);
      for (const time of [midnight - 1, midnight, month - 1, month])
        expect(await gateway.result({ event_time: new Date(time).toISOString() })).toMatchObject({ status: 'charged' });
      expect(await ledgerDifferences(manager.sql)).toEqual([]);
      const days = await manager.sql<{ day: string }>(
        `SELECT DISTINCT to_char(day, 'YYYY-MM-DD') AS day FROM spend_daily ORDER BY 1`,
      );
      const expected = [midnight - 1, midnight, month - 1, month].map((time) =>
        new Date(time).toISOString().slice(0, 10),
      );
      expect(days.map(({ day }) => day)).toEqual([...new Set(expected)].sort());
      const { body } = await manager.client.call<{ period_start: string; period_end: string }>(
        'GET /v1/budgets/breakdown',
        { token: manager.tokens.admin, query: { scope: 'user', subject_id: 'alice', period: 'day' } },
      );
      expect(Date.parse(body.period_start)).toBe(midnight);
      expect(Date.parse(body.period_end)).toBe(midnight + 86_400_000);
    });
  });

  describe('a service in another time zone', () => {
    let manager: TestManager;
    const gateway = new Gateway(() => manager);
    beforeAll(async () => {
      manager = await startManager();
      await price(manager);
    }, 60_000);
    afterAll(() => manager.close());

    // One is a day ahead of UTC for most of the day, the other a day behind.
    it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
      'keeps and shows every window and day by UTC: %s',
      async (TZ) => {
        const [subject = ''] = await makeUsers(manager, 1);
        await setBudget(manager, 'user', subject, '10', 'day');
        const midnight = new Date(new Date().toISOString().slice(0, 10)).getTime();
        const month = Date.parse(`${new Date().toISOString().slice(0, 7)}-01T00:00:00Z`);
        const times = [midnight - 1, midnight, month - 1, month].map((time) => new Date(time).toISOString());
        const replica = await startReplica(manager, { environment: { TZ } });
        try {
          const sendRequest = async (method: string, path: string, body?: object) => {
            const token = path.startsWith('/webhooks') ? manager.tokens.gateway : manager.tokens.admin;
            const response = await replica.call({ method, path, token, ...(body && { body }) });
            expect([path, response.status]).toEqual([path, 200]);
            return response.body;
          };
          const principal = { issuer: manager.issuer.issuer, subject };
          const events = times.map((event_time) => gateway.report({ event_time, principal }));
          const { results } = (await sendRequest('POST', '/webhooks/budgets/usage', { events })) as {
            results: Receipt[];
          };
          expect(results.map(({ status }) => status)).toEqual(times.map(() => 'charged'));
          expect(await ledgerDifferences(manager.sql)).toEqual([]);
          const days = [...new Set(times.map((time) => time.slice(0, 10)))].sort();
          const filter = `scope=user&subject_id=${subject}&from=${days[0]}`;
          const { buckets } = (await sendRequest('GET', `/v1/budgets/spend?${filter}`)) as {
            buckets: { date: string; usd: string }[];
          };
          const spent = buckets.filter(({ usd }) => usd !== '0.000000000').map(({ date }) => date);
          expect(spent).toEqual(days);
          for (const time of times) {
            const { cells } = (await sendRequest(
              'GET',
              `/v1/budgets/summary?scope=user&subject=${subject}&at=${time}`,
            )) as {
              cells: { period_start: string; period_end: string }[];
            };
            const start = Date.parse(time.slice(0, 10));
            expect(cells).toMatchObject([
              {
                period_start: new Date(start).toISOString(),
                period_end: new Date(start + 86_400_000).toISOString(),
              },
            ]);
          }
        } finally {
          await replica.kill();
        }
      },
    );
  });

  describe('the end of a window', () => {
    let manager: TestManager;
    const clock = new SetClock();
    let token: string;
    beforeAll(async () => {
      manager = await startManager({ clock });
      token = await manager.issuer.token({ subject: 'gateway', roles: ['gateway'], expiresIn: 3 * 86_400 });
      await makePrices(manager);
    }, 60_000);
    afterAll(() => manager.close());

    const admit = async (principal: { issuer: string; subject: string }, overrides: object = {}) => {
      const { status, body } = await manager.client.call<AdmissionResponse>(ADMISSION, {
        token,
        body: admission(principal, { ...overrides }),
      });
      expect(status).toBe(200);
      return body;
    };

    it('resets an exhausted budget in the first millisecond of the next period', async () => {
      const [subject = ''] = await makeUsers(manager, 1);
      const principal = { issuer: manager.issuer.issuer, subject };
      await setBudget(manager, 'user', subject, '2', 'day');
      const midnight = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`) + 86_400_000;
      clock.time = new Date(midnight - 1);
      expect([await admit(principal), await admit(principal)].map(({ decision }) => decision)).toEqual([
        'admitted',
        'admitted',
      ]);
      expect(await admit(principal)).toMatchObject({ decision: 'denied', reason: 'budget_exhausted' });
      const before = await manager.sql(
        'SELECT * FROM budget_cells WHERE subject_id = $1 ORDER BY period, period_start',
        [subject],
      );
      clock.time = new Date(midnight);
      expect(await admit(principal)).toMatchObject({
        decision: 'admitted',
        admitted_at: new Date(midnight).toISOString(),
      });
      const after = await manager.sql(
        `SELECT * FROM budget_cells WHERE subject_id = $1 AND NOT (period = 'day' AND period_start = $2::date) ORDER BY period, period_start`,
        [subject, new Date(midnight).toISOString()],
      );
      const filterDays = (rows: unknown[]) => rows.filter((row) => (row as { period: string }).period === 'day');
      expect(filterDays(after)).toEqual(filterDays(before));
      clock.time = new Date();
    });

    it('admits a fallback to another model by its own price and does not change the first attempt', async () => {
      const [subject = ''] = await makeUsers(manager, 1);
      const principal = { issuer: manager.issuer.issuer, subject };
      await setBudget(manager, 'user', subject, '0.5');
      const interaction_id = randomUUID();
      const cheap = await admit(principal, { interaction_id, model: 'plain', requested_model: 'plain' });
      expect(cheap).toMatchObject({ decision: 'admitted' });
      expect(await admit(principal, { interaction_id, attempt: 2 })).toMatchObject({
        decision: 'denied',
        reason: 'budget_exhausted',
      });
      expect(await admit(principal, { interaction_id, attempt: 3, model: 'free' })).toMatchObject({
        decision: 'admitted',
      });
      expect(await admit(principal, { interaction_id, attempt: 4, model: 'unknown' })).toMatchObject({
        reason: 'unpriceable',
      });
      const held = await manager.sql<{ id: string }>(
        'SELECT id FROM reservations WHERE interaction_id = $1 AND held_usd > 0',
        [interaction_id],
      );
      expect(held).toEqual([{ id: cheap.reservation_id }]);
    });
  });

  describe('many events', () => {
    let manager: TestManager;
    const gateway = new Gateway(() => manager);
    beforeAll(async () => {
      manager = await startManager();
      await price(manager);
    }, 60_000);
    afterAll(() => manager.close());

    it('are not merged by repeated or empty ids of the vendor', async () => {
      const raw_usage = { id: '', request_id: 'chatcmpl-1', prompt_tokens: 1_000, completion_tokens: 100 };
      const results = await gateway.results(...Array.from({ length: 5 }, () => gateway.report({ raw_usage })));
      expect(results.map(({ status }) => status)).toEqual(results.map(() => 'charged'));
      expect(new Set(results.map(({ event_id }) => event_id)).size).toBe(5);
      const [refused] = await gateway.results(gateway.report({ interaction_id: '' }));
      expect(refused).toMatchObject({ status: 'rejected', error: expect.stringContaining('interaction_id') });
    });

    it('take less than 1,500 bytes for each request including indexes, without a copy of the prices', async () => {
      for (let batch = 0; batch < 5; batch += 1)
        await gateway.results(...Array.from({ length: 1_000 }, () => gateway.report()));
      const [size] = await manager.sql<{ bytes: number; rows: number }>(`
        SELECT (SELECT count(*) FROM usage_events)::int AS rows, (
          SELECT sum(pg_total_relation_size(relid)) FROM (
            SELECT relid FROM pg_partition_tree('usage_events') UNION ALL SELECT 'usage_claims'::regclass
          ) AS tables)::int AS bytes`);
      expect(size!.bytes / size!.rows).toBeLessThan(1_500);
      const [charge] = await manager.sql<{ charge: Record<string, unknown> }>(
        'SELECT to_jsonb(charges) AS charge FROM charges LIMIT 1',
      );
      expect(JSON.stringify(charge?.charge)).not.toMatch(/UsdPerMillion/);
    });
  });
});
