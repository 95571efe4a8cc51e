import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const OWN = 'GET /v1/me/budgets/summary';

interface OwnCell {
  scope: string;
  subject_id: string;
  period: string;
  ordinal: number;
  used_usd: string;
  on_default: boolean;
  my_contribution_usd?: string;
}
interface Summary {
  subject: string;
  budgets: OwnCell[];
  day?: Record<string, unknown>;
  month?: Record<string, unknown>;
}

describe('a person’s own budgets', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());
  beforeEach(() =>
    manager.sql(
      'TRUNCATE budgets, group_precedences, default_user_budget, budget_cells, spend_daily, group_spend_by_person',
    ),
  );

  const own = async (token = manager.tokens.alice) => {
    const answer = await manager.client.call<Summary>(OWN, { token });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const put = async (path: string, body: object) => {
    const [, , kind, id] = path.split('/');
    const answer = await manager.client.call(
      id === undefined ? 'PUT /v1/budgets/default' : `PUT /v1/budgets/${kind}/{id}`,
      {
        token: manager.tokens.admin,
        ...(id !== undefined && { path: { id } }),
        body,
      },
    );
    expect(answer.status).toBe(204);
  };
  /**
   * What a person uses of a payer on a day, counted from today; the cells of all periods have it,
   * as after a charge.
   */
  const charge = async (scope: string, payer: string, person: string, amount: string, daysAgo = 0) => {
    await manager.sql(
      `INSERT INTO spend_daily VALUES ($1, $2, (now() AT TIME ZONE 'UTC')::date - $3::integer, $4, 'openai', 'm' || random(), 1, $5)`,
      [payer, scope, daysAgo, person, amount],
    );
    if (scope === 'group')
      await manager.sql(
        `INSERT INTO group_spend_by_person AS s (subject_id, period, period_start, auth_subject, charge_count, charged_usd)
         SELECT $1, p, date_trunc(p, (now() AT TIME ZONE 'UTC')::date - $2::integer)::date, $3, 1, $4 FROM unnest('{month,year}'::text[]) AS p
         ON CONFLICT (subject_id, period, period_start, auth_subject) DO UPDATE SET charged_usd = s.charged_usd + EXCLUDED.charged_usd`,
        [payer, daysAgo, person, amount],
      );
    await manager.sql(
      `INSERT INTO budget_cells AS c (subject_id, scope, period, period_start, used_usd)
       SELECT $1, $2, p, date_trunc(p, (now() AT TIME ZONE 'UTC')::date - $3::integer)::date, $4::numeric FROM unnest('{day,month,year}'::text[]) AS p
       ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE SET used_usd = c.used_usd + EXCLUDED.used_usd`,
      [payer, scope, daysAgo, amount],
    );
  };
  const order = ({ budgets }: Summary) =>
    budgets.map(({ scope, subject_id, period, ordinal }) => `${ordinal} ${scope} ${subject_id} ${period}`);

  it('are none, without cards, where there is none; also for somebody whom the directory does not know', async () => {
    expect(await own()).toEqual({ subject: 'alice', budgets: [] });
    expect(await own(manager.tokens.stranger)).toEqual({ subject: 'stranger', budgets: [] });
  });

  it('are those of the person, then those of every group that holds them, in the order in which they pay', async () => {
    const [parent, first, other] = [
      await makeGroup(manager),
      await makeGroup(manager, 'alice'),
      await makeGroup(manager, 'bob'),
    ];
    const child = await makeGroup(manager, 'alice');
    const nested = await manager.client.call('PUT /v1/groups/{group_id}/subgroups/{child_id}', {
      token: manager.tokens.admin,
      path: { group_id: parent, child_id: child },
    });
    expect(nested.status).toBe(200);
    await put(`/budgets/groups/${parent}`, { limit_usd: '100', period: 'month', precedence: 1 });
    await put(`/budgets/groups/${first}`, { limit_usd: '50', period: 'year', precedence: 2 });
    await put(`/budgets/groups/${first}`, { limit_usd: '5', period: 'day' });
    await put(`/budgets/groups/${other}`, { limit_usd: '5', period: 'day' });
    await put('/budgets/users/alice', { limit_usd: '10', period: 'month' });
    expect(order(await own())).toEqual([
      '1 user alice month',
      `2 group ${parent} month`,
      `3 group ${first} day`,
      `3 group ${first} year`,
    ]);
    // The place is that of the administrators' summary: groups without a precedence come after
    // those with one.
    expect(order(await own(manager.tokens.bob))).toEqual([`4 group ${other} day`]);
    const summary = await manager.client.call<{ cells: { subject_id: string; ordinal: number }[] }>(
      'GET /v1/budgets/summary',
      { token: manager.tokens.admin },
    );
    const places = new Map(summary.body.cells.map(({ subject_id, ordinal }) => [subject_id, ordinal]));
    expect([parent, first, other, 'alice'].map((id) => places.get(id))).toEqual([2, 3, 4, 1]);
    expect(await own(manager.tokens.stranger)).toMatchObject({ budgets: [] });
  });

  it('show of a group its sums and the caller’s own part, in each window, and nothing of others', async () => {
    const group = await makeGroup(manager, 'alice', 'bob');
    for (const period of ['day', 'month', 'year']) await put(`/budgets/groups/${group}`, { limit_usd: '9', period });
    await charge('group', group, 'alice', '0.000000001');
    await charge('group', group, 'alice', '1');
    await charge('group', group, 'bob', '2');
    await charge('group', group, 'alice', '4', 400);
    await charge('user', 'alice', 'alice', '8');
    const { budgets } = await own();
    expect(budgets.map(({ used_usd, my_contribution_usd }) => [used_usd, my_contribution_usd])).toEqual(
      ['day', 'month', 'year'].map(() => ['3.000000001', '1.000000001']),
    );
    expect(JSON.stringify(budgets)).not.toContain('bob');
    expect((await own(manager.tokens.bob)).budgets.map((cell) => cell.my_contribution_usd)).toEqual([
      '2.000000000',
      '2.000000000',
      '2.000000000',
    ]);
  });

  it('have cards of the day and of the month, absent without a budget at that period; the default counts', async () => {
    await put('/budgets/users/alice', { limit_usd: '10', period: 'month' });
    await charge('user', 'alice', 'alice', '12.5');
    const { day, month, budgets } = await own();
    expect(day).toBeUndefined();
    const now = new Date();
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(month).toEqual({
      limit_usd: '10.000000000',
      used_usd: '12.500000000',
      remaining_usd: '0.000000000',
      reserved_usd: '0.000000000',
      period_start: start.toISOString(),
      period_end: end.toISOString(),
      budgets: 1,
    });
    expect(budgets[0]?.my_contribution_usd).toBeUndefined();
    await put('/budgets', { limit_usd: '2', period: 'day' });
    const defaulted = await own();
    expect(defaulted.day).toMatchObject({ limit_usd: '2.000000000', used_usd: '12.500000000' });
    expect(defaulted.budgets.map(({ period, on_default }) => [period, on_default])).toEqual([
      ['day', true],
      ['month', false],
    ]);
    expect((await own(manager.tokens.stranger)).day).toMatchObject({
      limit_usd: '2.000000000',
      used_usd: '0.000000000',
    });
    await put('/budgets', { limit_usd: '2', period: 'month' });
    expect(await own()).toMatchObject({ month: { limit_usd: '10.000000000' } });
    expect((await own()).day).toBeUndefined();
  });

  it('are refused to a user whose entry was deactivated, and are back with the entry', async () => {
    const status = async () => (await manager.client.call(OWN, { token: manager.tokens.bob })).status;
    const untilStatus = async (wanted: number) => {
      while ((await status()) !== wanted) await sleep(50);
    };
    await put('/budgets/users/bob', { limit_usd: '1', period: 'day' });
    expect(order(await own(manager.tokens.bob))).toEqual(['1 user bob day']);
    await manager.sql(`UPDATE users SET active = FALSE WHERE subject = 'bob'`);
    try {
      await untilStatus(403);
    } finally {
      await manager.sql(`UPDATE users SET active = TRUE WHERE subject = 'bob'`);
    }
    await untilStatus(200);
    expect(order(await own(manager.tokens.bob))).toEqual(['1 user bob day']);
  });

  it('are the caller’s own: a gateway has none, and nobody can ask for another person’s', async () => {
    expect((await manager.client.call(OWN, { token: manager.tokens.gateway })).status).toBe(403);
    const { alice } = manager.tokens;
    expect((await manager.client.call<Summary>(OWN, { token: alice })).body.subject).toBe('alice');
    const asked = await manager.client.call(OWN, { token: alice, query: { subject: 'bob' } });
    expect([asked.status, asked.body]).toMatchObject([400, { error: 'subject: is not a known field' }]);
  });
});
