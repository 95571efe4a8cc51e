import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestClock } from './config-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const SUMMARY = 'GET /v1/budgets/summary';
const NOW = new Date('2028-02-29T10:00:00Z');

interface Cell {
  scope: string;
  subject_id: string;
  period: string;
  period_start: string;
  period_end: string;
  limit_usd: string;
  used_usd: string;
  remaining_usd: string;
  reserved_usd: string;
  ordinal: number;
  on_default: boolean;
}
interface CellsPage {
  at: string;
  limits_as_of: string;
  cells: Cell[];
  next_cursor?: string;
  error: string;
}

describe('GET /v1/budgets/summary', () => {
  const clock = new TestClock();
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ clock });
  }, 60_000);
  afterAll(() => manager.close());
  beforeEach(async () => {
    await manager.sql('TRUNCATE budgets, group_precedences, default_user_budget, budget_cells');
  });

  const readPage = (query: Record<string, string | number> = {}, token = manager.tokens.admin) =>
    manager.client.call<CellsPage>(SUMMARY, { token, query: { at: NOW.toISOString(), ...query } });
  const readAll = async (query: Record<string, string | number> = {}) => {
    const cells: Cell[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 50; pages += 1) {
      const { status, body } = await readPage({ ...query, ...(cursor !== undefined && { cursor }) });
      expect(status).toBe(200);
      cells.push(...body.cells);
      cursor = body.next_cursor;
      if (cursor === undefined) return cells;
      expect(body.cells.length).toBeGreaterThan(0);
    }
    throw new Error('the pages do not end');
  };
  const readNames = async (query: Record<string, string | number> = {}) =>
    (await readAll(query)).map(
      ({ subject_id, period, on_default }) => `${subject_id} ${period}${on_default ? ' *' : ''}`,
    );
  const setBudgets = async (budgets: object[]) => {
    const response = await manager.client.call('PUT /v1/budgets', { token: manager.tokens.admin, body: { budgets } });
    expect(response.status).toBe(204);
  };
  const setDefault = (limit_usd: string, period: string) =>
    manager.client.call('PUT /v1/budgets/default', { token: manager.tokens.admin, body: { limit_usd, period } });
  const setUsage = (scope: string, subject: string, period: string, start: string, used: string, reserved = '0') =>
    manager.sql('INSERT INTO budget_cells VALUES ($2, $1, $3, $4, $5, $6)', [
      scope,
      subject,
      period,
      start,
      used,
      reserved,
    ]);
  const makeUserBudget = (subject_id: string, period = 'month', limit_usd = '10') => ({
    scope: 'user',
    subject_id,
    period,
    limit_usd,
  });

  it('lists each budget, including unused ones, with its window and its remaining amount', async () => {
    await setBudgets([
      makeUserBudget('ann', 'day', '1'),
      makeUserBudget('ann', 'month', '10'),
      makeUserBudget('ann', 'year', '100'),
    ]);
    await setUsage('user', 'ann', 'day', '2028-02-29', '1.5', '0.25');
    await setUsage('user', 'ann', 'month', '2028-02-01', '4.000000001');
    await setUsage('user', 'ann', 'month', '2028-01-01', '9');
    expect(await readAll()).toEqual([
      {
        scope: 'user',
        subject_id: 'ann',
        period: 'day',
        period_start: '2028-02-29T00:00:00.000Z',
        period_end: '2028-03-01T00:00:00.000Z',
        limit_usd: '1.000000000',
        used_usd: '1.500000000',
        remaining_usd: '0.000000000',
        reserved_usd: '0.250000000',
        ordinal: 1,
        on_default: false,
      },
      expect.objectContaining({
        period: 'month',
        period_start: '2028-02-01T00:00:00.000Z',
        period_end: '2028-03-01T00:00:00.000Z',
        used_usd: '4.000000001',
        remaining_usd: '5.999999999',
        reserved_usd: '0.000000000',
      }),
      expect.objectContaining({
        period: 'year',
        period_start: '2028-01-01T00:00:00.000Z',
        period_end: '2029-01-01T00:00:00.000Z',
        used_usd: '0.000000000',
        remaining_usd: '100.000000000',
      }),
    ]);
  });

  it('lists only users with usage under the default budget', async () => {
    await setBudgets([makeUserBudget('own'), makeUserBudget('other-period', 'day')]);
    await setDefault('3', 'month');
    for (const subject of ['own', 'other-period', 'defaulted', 'has-reservation']) {
      const used = subject === 'has-reservation' ? ['0', '0.1'] : ['2', '0'];
      await setUsage('user', subject, 'month', '2028-02-01', ...(used as [string, string]));
      await setUsage('user', subject, 'day', '2028-02-29', '1');
    }
    await setUsage('user', 'released', 'month', '2028-02-01', '0');
    await setUsage('user', 'last-month', 'month', '2028-01-01', '2');
    await setUsage('group', 'no-group', 'month', '2028-02-01', '2');
    expect(await readNames()).toEqual([
      'defaulted month *',
      'has-reservation month *',
      'other-period day',
      'other-period month *',
      'own month',
    ]);
    const [defaulted] = await readAll({ subject: 'defaulted' });
    expect(defaulted).toMatchObject({ limit_usd: '3.000000000', remaining_usd: '1.000000000', ordinal: 1 });
    expect(await readNames({ at: '2028-01-31T23:59:59.999Z' })).toContain('last-month month *');
    const past = (await readPage({ at: '2028-01-31' })).body;
    expect(past).toMatchObject({ at: '2028-01-31T00:00:00.000Z', limits_as_of: expect.any(String) });
    expect(Date.parse(past.limits_as_of)).toBeGreaterThan(Date.parse('2025-01-01'));
    expect(await readNames({ at: '2028-01-31' })).toEqual(await readNames({ at: '2028-01-31T00:00:00Z' }));
    await setDefault('3', 'day');
    expect(await readNames({ subject: 'd' })).toEqual(['defaulted day *']);
    await manager.client.call('DELETE /v1/budgets/default', { token: manager.tokens.admin });
    expect(await readNames()).toEqual(['other-period day', 'own month']);
  });

  it('orders groups after users, by precedence and id', async () => {
    const groups = (await Promise.all([makeGroup(manager), makeGroup(manager), makeGroup(manager)])).sort();
    const [a, b, c] = groups;
    const group = (subject_id: string, period: string, more = {}) => ({
      ...makeUserBudget(subject_id, period),
      scope: 'group',
      ...more,
    });
    await setBudgets([
      makeUserBudget('ann'),
      group(a, 'day'),
      group(b, 'month'),
      group(b, 'year'),
      group(c, 'day', { precedence: 1 }),
    ]);
    expect((await readAll()).map(({ subject_id, period, ordinal }) => [subject_id, period, ordinal])).toEqual([
      [a, 'day', 3],
      [b, 'month', 4],
      [b, 'year', 4],
      [c, 'day', 2],
      ['ann', 'month', 1],
    ]);
    expect(await readNames({ scope: 'user' })).toEqual(['ann month']);
    expect(await readNames({ scope: 'group', subject: b.slice(0, 30).toUpperCase() })).toEqual([
      `${b} month`,
      `${b} year`,
    ]);
    expect((await readPage({ scope: 'group', subject: c })).body.cells).toEqual([
      expect.objectContaining({ ordinal: 2 }),
    ]);
  });

  it('contains each cell once with any page size', async () => {
    const groups = await Promise.all([makeGroup(manager), makeGroup(manager), makeGroup(manager)]);
    await setDefault('3', 'month');
    await setBudgets([
      ...groups.map((subject_id) => ({ ...makeUserBudget(subject_id), scope: 'group' })),
      ...['a', 'aa', 'ab', 'b', '～', '😀'].flatMap((subject) => [
        makeUserBudget(subject, 'day'),
        makeUserBudget(subject, 'year'),
      ]),
      makeUserBudget('aa', 'month'),
    ]);
    for (const subject of ['a', 'aa', 'a0', 'az', 'b', 'zz', '～', '😀', '😁'])
      await setUsage('user', subject, 'month', '2028-02-01', '1');
    const whole = await readNames({ limit: 200 });
    expect(whole).toEqual([
      ...groups.sort().map((id) => `${id} month`),
      ...['a day', 'a month *', 'a year', 'a0 month *', 'aa day', 'aa month', 'aa year', 'ab day', 'ab year'],
      ...['az month *', 'b day', 'b month *', 'b year', 'zz month *'],
      ...['～ day', '～ month *', '～ year', '😀 day', '😀 month *', '😀 year', '😁 month *'],
    ]);
    for (const limit of [1, 2, 3, 5, 23, 24, 25]) expect([limit, await readNames({ limit })]).toEqual([limit, whole]);
    expect(await readNames({ subject: 'a', scope: 'user', limit: 2 })).toEqual(
      whole.slice(3, 13).filter((name) => /^a/.test(name)),
    );
    expect(await readNames({ subject: '😀', limit: 2 })).toEqual(['😀 day', '😀 month *', '😀 year']);
    expect((await readPage({ limit: 24 })).body.next_cursor).toBeUndefined();
    expect((await readPage({ limit: 23 })).body.next_cursor).toBeDefined();
  });

  it('keeps its windows on all pages and refuses cursors of other lists', async () => {
    await setBudgets([makeUserBudget('ann', 'day'), makeUserBudget('bob', 'day'), makeUserBudget('cy', 'day')]);
    // The token is valid beyond the midnight between the two pages.
    const token = await manager.issuer.token({ subject: 'admin', roles: ['admin'], expiresIn: 200_000 });
    const initialTime = clock.time;
    const midnight = Math.ceil(initialTime / 86_400_000) * 86_400_000;
    try {
      clock.time = midnight - 1;
      const first = await manager.client.call<CellsPage>(SUMMARY, { token, query: { limit: 1 } });
      clock.time = midnight;
      const rest = { limit: 5, cursor: first.body.next_cursor };
      const second = await manager.client.call<CellsPage>(SUMMARY, { token, query: rest });
      expect(second.body.cells.map(({ subject_id }) => subject_id)).toEqual(['bob', 'cy']);
      for (const { period_end } of [...first.body.cells, ...second.body.cells])
        expect(period_end).toBe(new Date(midnight).toISOString());
    } finally {
      clock.time = initialTime;
    }
    const cursor = (await readPage({ limit: 1, scope: 'user' })).body.next_cursor ?? '';
    expect((await readPage({ cursor, scope: 'user' })).status).toBe(200);
    for (const [query, by] of [
      [{ cursor }, manager.tokens.admin],
      [{ cursor, scope: 'group' }, manager.tokens.admin],
      [{ cursor, scope: 'user', subject: 'a' }, manager.tokens.admin],
      [{ cursor, scope: 'user', at: '2028-02-29T23:59:59Z' }, manager.tokens.admin],
      [{ cursor: `${cursor}A`, scope: 'user' }, manager.tokens.admin],
      [{ cursor, scope: 'user' }, manager.tokens.auditor],
    ] as const)
      expect(await readPage(query, by)).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^cursor: /) },
      });
  });

  it('reduces a larger limit to the maximum and names each invalid parameter', async () => {
    await setBudgets(Array.from({ length: 250 }, (_, n) => makeUserBudget(`u${n}`)));
    expect((await readPage({ limit: 100_000 })).body.cells).toHaveLength(200);
    expect((await readPage()).body.cells).toHaveLength(50);
    for (const [query, field] of [
      [{ limit: 0 }, 'limit'],
      [{ limit: -1 }, 'limit'],
      [{ limit: 'many' }, 'limit'],
      [{ at: 'yesterday' }, 'at'],
      [{ at: '2026-02-30' }, 'at'],
      [{ at: '9999-12-31T00:00:00Z' }, 'at'],
      [{ scope: 'team' }, 'scope'],
      [{ subject: '' }, 'subject'],
      [{ period: 'day' }, 'period'],
    ] as const)
      expect(await readPage(query)).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(`^${field}: `) },
      });
    for (const at of ['0001-01-01T00:00:00Z', '9998-12-31T23:59:59Z'])
      expect((await readPage({ at, limit: 1 })).status).toBe(200);
    expect((await readPage({}, manager.tokens.auditor)).status).toBe(200);
    expect((await readPage({}, manager.tokens.alice)).status).toBe(403);
  });
});
