import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { admission, lease, makePrices, makeUsers, OffsetClock, setBudget } from './admission-scene.ts';
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

describe(LIST, () => {
  const clock = new OffsetClock();
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ clock });
    await makePrices(manager);
  }, 60_000);
  afterAll(() => manager.close());

  const readPage = async (query: Record<string, string | number> = {}, token = manager.tokens.admin) => {
    const { status, body } = await manager.client.call<Page>(LIST, { token, query });
    return { status, ...body };
  };
  const toPrincipal = (subject: string) => ({ issuer: manager.issuer.issuer, subject });
  const callAsGateway = (operation: string, body: object) =>
    manager.client.call<{ decision?: string; reason?: string }>(operation, { token: manager.tokens.gateway, body });
  const admit = (body: object) => callAsGateway('POST /webhooks/budgets/admission', body);
  /** Waits for a number of denials of a user. @returns their entries */
  const waitForDenials = async (auth_subject: string, count: number): Promise<Denial[]> => {
    for (;;) {
      const { denials } = await readPage({ auth_subject, limit: 200 });
      if (denials.reduce((sum, { denial_count }) => sum + denial_count, 0) >= count) return denials;
      await sleep(100);
    }
  };

  it('lists denials with user, model, gateway and reason, and counts equal ones', async () => {
    const [user = ''] = await makeUsers(manager, 1);
    await setBudget(manager, 'user', user, '0');
    for (let n = 0; n < 3; n += 1)
      expect((await admit(admission(toPrincipal(user)))).body.reason).toBe('budget_exhausted');
    await admit(admission(toPrincipal(user), { model: 'unknown' }));
    await callAsGateway('POST /gateway/v1/budget-leases', lease(toPrincipal(user)));
    const denials = await waitForDenials(user, 5);
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
    const { denials: unpriced } = await readPage({ auth_subject: user, reason: 'unpriceable' });
    expect(unpriced.map(({ model }) => model)).toEqual(['unknown']);
  });

  it('lists an unknown key by its id without a user, and no admitted requests', async () => {
    const [user = ''] = await makeUsers(manager, 1);
    expect((await admit(admission(toPrincipal(user)))).body.decision).toBe('admitted');
    await admit(admission({ virtual_key_id: 'nokey234' }));
    let found: Denial[] = [];
    while (found.length === 0) {
      found = (await readPage({ reason: 'key_inactive' })).denials;
      await sleep(50);
    }
    expect(found).toEqual([expect.objectContaining({ virtual_key_id: 'nokey234', denial_count: 1 })]);
    expect(found[0]).not.toHaveProperty('auth_subject');
    expect((await readPage({ auth_subject: user })).denials).toEqual([]);
  });

  it('limits the number of rows for invented model names and counts every denial', async () => {
    const [user = ''] = await makeUsers(manager, 1);
    const before = await manager.sql<{ n: number }>('SELECT count(*)::int AS n FROM budget_denials');
    const minutes = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, n) => admit(admission(toPrincipal(user), { model: `invented ${round} ${n}` }))),
      );
      for (const { body } of responses) expect(body.reason).toBe('unpriceable');
    }
    let rows: { n: number; sum: number; minute: string }[];
    do {
      rows = await manager.sql(
        `SELECT count(*)::int AS n, sum(denial_count)::int AS sum, max(event_time)::text AS minute FROM budget_denials
         WHERE reason = 'unpriceable' AND (auth_subject = $1 OR auth_subject = '(others)') GROUP BY event_time`,
        [user],
      );
      await sleep(100);
    } while (rows.reduce((sum, row) => sum + row.sum, 0) < 500);
    for (const { minute } of rows) minutes.add(minute);
    expect(rows.reduce((sum, row) => sum + row.sum, 0)).toBe(500);
    const after = await manager.sql<{ n: number }>('SELECT count(*)::int AS n FROM budget_denials');
    expect((after[0]?.n ?? 0) - (before[0]?.n ?? 0)).toBeLessThanOrEqual(101 * minutes.size);
  });

  it('returns pages, newest first, only to administrators and auditors', async () => {
    await manager.sql(
      `INSERT INTO budget_denials SELECT date_trunc('minute', now()) - n * interval '1 minute', gen_random_uuid(), now(), 'request', 'no_budget', 'local', 'pager', '', 'p', 'm', n
       FROM generate_series(1, 25) AS n`,
    );
    const seen: Denial[] = [];
    let cursor: string | undefined;
    do {
      const { denials, next_cursor } = await readPage({
        auth_subject: 'pager',
        limit: 10,
        ...(cursor !== undefined && { cursor }),
      });
      seen.push(...denials);
      cursor = next_cursor;
    } while (cursor !== undefined);
    expect(seen.map(({ denial_count }) => denial_count)).toEqual(Array.from({ length: 25 }, (_, n) => n + 1));
    const { minute = '' } = seen[4] ?? {};
    expect((await readPage({ auth_subject: 'pager', from: minute })).denials).toHaveLength(5);
    expect((await readPage({ auth_subject: 'pager', to: '2020-01-01' })).denials).toEqual([]);
    expect((await readPage({}, manager.tokens.auditor)).status).toBe(200);
    expect((await readPage({}, manager.tokens.alice)).status).toBe(403);
    for (const query of [{ reason: 'because' }, { from: 'yesterday' }, { limit: 0 }, { cursor: 'x' }])
      expect((await readPage(query)).status).toBe(400);
  });

  it('deletes entries after 30 days', async () => {
    await manager.sql(
      `INSERT INTO budget_denials SELECT now() - interval '31 days', gen_random_uuid(), now(), 'request', 'no_budget', 'local', 'old', '', 'p', 'm', 1`,
    );
    clock.ahead += 120_000;
    while ((await readPage({ auth_subject: 'old' })).denials.length > 0) await sleep(100);
  });
});
