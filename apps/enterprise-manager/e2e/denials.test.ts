import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '@gatehouse/service-kit/clock';
import { setTimeout as sleep } from 'node:timers/promises';
import { admission, lease, makePeople, makePrices, setBudget } from './admission-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const LIST = 'GET /v1/budgets/denials';

interface Denial {
  id: string;
  minute: string;
  last_denied_at: string;
  denial_count: number;
  kind: string;
  reason: string;
  gateway_id: string;
  auth_subject?: string;
  virtual_key_id?: string;
  provider?: string;
  model?: string;
}
interface Page {
  denials: Denial[];
  next_cursor?: string;
  error?: string;
}

/** A clock that a test can put forward. */
class TestClock extends Clock {
  ahead = 0;
  override now(): Date {
    return new Date(Date.now() + this.ahead);
  }
}

describe(LIST, () => {
  const clock = new TestClock();
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ clock });
    await makePrices(manager);
  }, 60_000);
  afterAll(() => manager.close());

  const page = async (query: Record<string, string | number> = {}, token = manager.tokens.admin) => {
    const { status, body } = await manager.client.call<Page>(LIST, { token, query });
    return { status, ...body };
  };
  const by = (subject: string) => ({ issuer: manager.issuer.issuer, subject });
  const gateway = (operation: string, body: object) =>
    manager.client.call<{ decision?: string; reason?: string }>(operation, { token: manager.tokens.gateway, body });
  const admit = (body: object) => gateway('POST /webhooks/budgets/admission', body);
  /** Entries of a user, once they stand for so many refusals. */
  const counted = async (auth_subject: string, refusals: number): Promise<Denial[]> => {
    for (;;) {
      const { denials } = await page({ auth_subject, limit: 200 });
      if (denials.reduce((sum, { denial_count }) => sum + denial_count, 0) >= refusals) return denials;
      await sleep(100);
    }
  };

  it('shows who was refused what by which gateway, and why; equal ones are counted', async () => {
    const [person = ''] = await makePeople(manager, 1);
    await setBudget(manager, 'user', person, '0');
    for (let n = 0; n < 3; n += 1) expect((await admit(admission(by(person)))).body.reason).toBe('budget_exhausted');
    await admit(admission(by(person), { model: 'unknown' }));
    await gateway('POST /gateway/v1/budget-leases', lease(by(person)));
    const denials = await counted(person, 5);
    const sums = new Map<string, number>();
    for (const { kind, reason, model = '', provider = '', denial_count, gateway_id } of denials) {
      const key = [kind, reason, provider, model, gateway_id].join(' ');
      sums.set(key, (sums.get(key) ?? 0) + denial_count);
    }
    expect(Object.fromEntries(sums)).toEqual({
      'request budget_exhausted openai dear/answer local-ai': 3,
      'request unpriceable openai unknown local-ai': 1,
      'lease budget_exhausted   local-ai': 1,
    });
    for (const { minute, last_denied_at } of denials) {
      expect(minute).toMatch(/:00\.000Z$/);
      expect(last_denied_at >= minute).toBe(true);
    }
    const { denials: unpriced } = await page({ auth_subject: person, reason: 'unpriceable' });
    expect(unpriced.map(({ model }) => model)).toEqual(['unknown']);
  });

  it('names a key that does not exist by its id alone, and nothing that was admitted', async () => {
    const [person = ''] = await makePeople(manager, 1);
    expect((await admit(admission(by(person)))).body.decision).toBe('admitted');
    await admit(admission({ virtual_key_id: 'nokey234' }));
    let found: Denial[] = [];
    while (found.length === 0) {
      found = (await page({ reason: 'key_inactive' })).denials;
      await sleep(50);
    }
    expect(found).toEqual([expect.objectContaining({ virtual_key_id: 'nokey234', denial_count: 1 })]);
    expect(found[0]).not.toHaveProperty('auth_subject');
    expect((await page({ auth_subject: person })).denials).toEqual([]);
  });

  it('stays small whatever names callers make up, and loses no refusal', async () => {
    const [person = ''] = await makePeople(manager, 1);
    const before = await manager.sql<{ n: number }>('SELECT count(*)::int AS n FROM budget_denials');
    const minutes = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => admit(admission(by(person), { model: `made up ${round} ${n}` }))),
      );
      for (const { body } of answers) expect(body.reason).toBe('unpriceable');
    }
    let rows: { n: number; sum: number; minute: string }[];
    do {
      rows = await manager.sql(
        `SELECT count(*)::int AS n, sum(denial_count)::int AS sum, max(event_time)::text AS minute FROM budget_denials
         WHERE reason = 'unpriceable' AND (auth_subject = $1 OR auth_subject = '(others)') GROUP BY event_time`,
        [person],
      );
      await sleep(100);
    } while (rows.reduce((sum, row) => sum + row.sum, 0) < 500);
    for (const { minute } of rows) minutes.add(minute);
    expect(rows.reduce((sum, row) => sum + row.sum, 0)).toBe(500);
    const after = await manager.sql<{ n: number }>('SELECT count(*)::int AS n FROM budget_denials');
    expect((after[0]?.n ?? 0) - (before[0]?.n ?? 0)).toBeLessThanOrEqual(101 * minutes.size);
  });

  it('is read in pages, newest first, without repeats; by administrators and auditors alone', async () => {
    await manager.sql(
      `INSERT INTO budget_denials SELECT date_trunc('minute', now()) - n * interval '1 minute', gen_random_uuid(), now(), 'request', 'no_budget', 'local', 'pager', '', 'p', 'm', n
       FROM generate_series(1, 25) AS n`,
    );
    const seen: Denial[] = [];
    let cursor: string | undefined;
    do {
      const { denials, next_cursor } = await page({
        auth_subject: 'pager',
        limit: 10,
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...denials);
      cursor = next_cursor;
    } while (cursor !== undefined);
    expect(seen.map(({ denial_count }) => denial_count)).toEqual(Array.from({ length: 25 }, (_, n) => n + 1));
    const { minute = '' } = seen[4] ?? {};
    expect((await page({ auth_subject: 'pager', from: minute })).denials).toHaveLength(5);
    expect((await page({ auth_subject: 'pager', to: '2020-01-01' })).denials).toEqual([]);
    expect((await page({}, manager.tokens.auditor)).status).toBe(200);
    expect((await page({}, manager.tokens.alice)).status).toBe(403);
    for (const query of [{ reason: 'because' }, { from: 'yesterday' }, { limit: 0 }, { cursor: 'x' }])
      expect((await page(query)).status).toBe(400);
  });

  it('forgets what is older than 30 days', async () => {
    await manager.sql(
      `INSERT INTO budget_denials SELECT now() - interval '31 days', gen_random_uuid(), now(), 'request', 'no_budget', 'local', 'old', '', 'p', 'm', 1`,
    );
    clock.ahead += 120_000;
    while ((await page({ auth_subject: 'old' })).denials.length > 0) await sleep(100);
  });
});
