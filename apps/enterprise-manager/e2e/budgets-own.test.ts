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

describe('GET /v1/me/budgets/summary', () => {
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

  const readOwn = async (token = manager.tokens.alice) => {
    const response = await manager.client.call<Summary>(OWN, { token });
    expect(response.status).toBe(200);
    return response.body;
  };
  const putBudget = async (path: string, body: object) => {
    const [, , kind, id] = path.split('/');
    const response = await manager.client.call(
      id === undefined ? 'PUT /v1/budgets/default' : `PUT /v1/budgets/${kind}/{id}`,
      {
        token: manager.tokens.admin,
        ...(id !== undefined && { path: { id } }),
        body,
      },
    );
    expect(response.status).toBe(204);
  };
  /** Adds usage of a user to the sums and cells of a payer, as a charge does. */
  const addUsage = async (scope: string, payer: string, user: string, amount: string, daysAgo = 0) => {
    await manager.sql(
      `INSERT INTO spend_daily VALUES ($1, $2, (now() AT TIME ZONE 'UTC')::date - $3::integer, $4, 'openai', 'm' || random(), 1, $5)`,
      [payer, scope, daysAgo, user, amount],
    );
    if (scope === 'group')
      await manager.sql(
        `INSERT INTO group_spend_by_person AS s (subject_id, period, period_start, auth_subject, charge_count, charged_usd)
         SELECT $1, p, date_trunc(p, (now() AT TIME ZONE 'UTC')::date - $2::integer)::date, $3, 1, $4 FROM unnest('{month,year}'::text[]) AS p
         ON CONFLICT (subject_id, period, period_start, auth_subject) DO UPDATE SET charged_usd = s.charged_usd + EXCLUDED.charged_usd`,
        [payer, daysAgo, user, amount],
      );
    await manager.sql(
      `INSERT INTO budget_cells AS c (subject_id, scope, period, period_start, used_usd)
       SELECT $1, $2, p, date_trunc(p, (now() AT TIME ZONE 'UTC')::date - $3::integer)::date, $4::numeric FROM unnest('{day,month,year}'::text[]) AS p
       ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE SET used_usd = c.used_usd + EXCLUDED.used_usd`,
      [payer, scope, daysAgo, amount],
    );
  };
  const listOrder = ({ budgets }: Summary) =>
    budgets.map(({ scope, subject_id, period, ordinal }) => `${ordinal} ${scope} ${subject_id} ${period}`);

  it('returns no budgets and no cards without any budget, also without a directory entry', async () => {
    expect(await readOwn()).toEqual({ subject: 'alice', budgets: [] });
    expect(await readOwn(manager.tokens.stranger)).toEqual({ subject: 'stranger', budgets: [] });
  });

  it('lists the budgets of the user, then those of all groups of the user, in the order of payment', async () => {
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
    await putBudget(`/budgets/groups/${parent}`, { limit_usd: '100', period: 'month', precedence: 1 });
    await putBudget(`/budgets/groups/${first}`, { limit_usd: '50', period: 'year', precedence: 2 });
    await putBudget(`/budgets/groups/${first}`, { limit_usd: '5', period: 'day' });
    await putBudget(`/budgets/groups/${other}`, { limit_usd: '5', period: 'day' });
    await putBudget('/budgets/users/alice', { limit_usd: '10', period: 'month' });
    expect(listOrder(await readOwn())).toEqual([
      '1 user alice month',
      `2 group ${parent} month`,
      `3 group ${first} day`,
      `3 group ${first} year`,
    ]);
    // The ordinal equals that of the administrators' summary. Groups without precedence are last.
    expect(listOrder(await readOwn(manager.tokens.bob))).toEqual([`4 group ${other} day`]);
    const summary = await manager.client.call<{ cells: { subject_id: string; ordinal: number }[] }>(
      'GET /v1/budgets/summary',
      { token: manager.tokens.admin },
    );
    const ordinals = new Map(summary.body.cells.map(({ subject_id, ordinal }) => [subject_id, ordinal]));
    expect([parent, first, other, 'alice'].map((id) => ordinals.get(id))).toEqual([2, 3, 4, 1]);
    expect(await readOwn(manager.tokens.stranger)).toMatchObject({ budgets: [] });
  });

  it('contains the sums of a group and the share of the caller, but no usage of other users', async () => {
    const group = await makeGroup(manager, 'alice', 'bob');
    for (const period of ['day', 'month', 'year'])
      await putBudget(`/budgets/groups/${group}`, { limit_usd: '9', period });
    await addUsage('group', group, 'alice', '0.000000001');
    await addUsage('group', group, 'alice', '1');
    await addUsage('group', group, 'bob', '2');
    await addUsage('group', group, 'alice', '4', 400);
    await addUsage('user', 'alice', 'alice', '8');
    const { budgets } = await readOwn();
    expect(budgets.map(({ used_usd, my_contribution_usd }) => [used_usd, my_contribution_usd])).toEqual(
      ['day', 'month', 'year'].map(() => ['3.000000001', '1.000000001']),
    );
    expect(JSON.stringify(budgets)).not.toContain('bob');
    expect((await readOwn(manager.tokens.bob)).budgets.map((cell) => cell.my_contribution_usd)).toEqual([
      '2.000000000',
      '2.000000000',
      '2.000000000',
    ]);
  });

  it('contains cards for the day and the month if a budget or the default budget applies', async () => {
    await putBudget('/budgets/users/alice', { limit_usd: '10', period: 'month' });
    await addUsage('user', 'alice', 'alice', '12.5');
    const { day, month, budgets } = await readOwn();
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
    await putBudget('/budgets', { limit_usd: '2', period: 'day' });
    const withDefault = await readOwn();
    expect(withDefault.day).toMatchObject({ limit_usd: '2.000000000', used_usd: '12.500000000' });
    expect(withDefault.budgets.map(({ period, on_default }) => [period, on_default])).toEqual([
      ['day', true],
      ['month', false],
    ]);
    expect((await readOwn(manager.tokens.stranger)).day).toMatchObject({
      limit_usd: '2.000000000',
      used_usd: '0.000000000',
    });
    await putBudget('/budgets', { limit_usd: '2', period: 'month' });
    expect(await readOwn()).toMatchObject({ month: { limit_usd: '10.000000000' } });
    expect((await readOwn()).day).toBeUndefined();
  });

  it('returns 403 to a deactivated user until the entry is active again', async () => {
    const readStatus = async () => (await manager.client.call(OWN, { token: manager.tokens.bob })).status;
    const waitForStatus = async (wanted: number) => {
      while ((await readStatus()) !== wanted) await sleep(50);
    };
    await putBudget('/budgets/users/bob', { limit_usd: '1', period: 'day' });
    expect(listOrder(await readOwn(manager.tokens.bob))).toEqual(['1 user bob day']);
    await manager.sql(`UPDATE users SET active = FALSE WHERE subject = 'bob'`);
    try {
      await waitForStatus(403);
    } finally {
      await manager.sql(`UPDATE users SET active = TRUE WHERE subject = 'bob'`);
    }
    await waitForStatus(200);
    expect(listOrder(await readOwn(manager.tokens.bob))).toEqual(['1 user bob day']);
  });

  it('returns 403 to gateways and cannot return the budgets of another user', async () => {
    expect((await manager.client.call(OWN, { token: manager.tokens.gateway })).status).toBe(403);
    const { alice } = manager.tokens;
    expect((await manager.client.call<Summary>(OWN, { token: alice })).body.subject).toBe('alice');
    const refused = await manager.client.call(OWN, { token: alice, query: { subject: 'bob' } });
    expect([refused.status, refused.body]).toMatchObject([400, { error: 'subject: is not a known field' }]);
  });
});
