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

describe('the cells of budgets', () => {
  const clock = new TestClock();
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ clock });
  }, 60_000);
  afterAll(() => manager.close());
  beforeEach(async () => {
    await manager.sql('TRUNCATE budgets, group_precedences, default_user_budget, budget_cells');
  });

  const page = (query: Record<string, string | number> = {}, token = manager.tokens.admin) =>
    manager.client.call<CellsPage>(SUMMARY, { token, query: { at: NOW.toISOString(), ...query } });
  const all = async (query: Record<string, string | number> = {}) => {
    const cells: Cell[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 50; pages += 1) {
      const { status, body } = await page({ ...query, ...(cursor !== undefined && { cursor }) });
      expect(status).toBe(200);
      cells.push(...body.cells);
      cursor = body.next_cursor;
      if (cursor === undefined) return cells;
      expect(body.cells.length).toBeGreaterThan(0);
    }
    throw new Error('the pages do not end');
  };
  const names = async (query: Record<string, string | number> = {}) =>
    (await all(query)).map(({ subject_id, period, on_default }) => `${subject_id} ${period}${on_default ? ' *' : ''}`);
  const set = async (budgets: object[]) => {
    const answer = await manager.client.call('PUT /v1/budgets', { token: manager.tokens.admin, body: { budgets } });
    expect(answer.status).toBe(204);
  };
  const setDefault = (limit_usd: string, period: string) =>
    manager.client.call('PUT /v1/budgets/default', { token: manager.tokens.admin, body: { limit_usd, period } });
  const use = (scope: string, subject: string, period: string, start: string, used: string, reserved = '0') =>
    manager.sql('INSERT INTO budget_cells VALUES ($2, $1, $3, $4, $5, $6)', [
      scope,
      subject,
      period,
      start,
      used,
      reserved,
    ]);
  const user = (subject_id: string, period = 'month', limit_usd = '10') => ({
    scope: 'user',
    subject_id,
    period,
    limit_usd,
  });

  it('show each budget, also an unused one, with its window and what is left', async () => {
    await set([user('ann', 'day', '1'), user('ann', 'month', '10'), user('ann', 'year', '100')]);
    await use('user', 'ann', 'day', '2028-02-29', '1.5', '0.25');
    await use('user', 'ann', 'month', '2028-02-01', '4.000000001');
    await use('user', 'ann', 'month', '2028-01-01', '9');
    expect(await all()).toEqual([
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

  it('show those who used something under the default budget, and nobody else', async () => {
    await set([user('own'), user('other-period', 'day')]);
    await setDefault('3', 'month');
    for (const subject of ['own', 'other-period', 'defaulted', 'holds']) {
      const used = subject === 'holds' ? ['0', '0.1'] : ['2', '0'];
      await use('user', subject, 'month', '2028-02-01', ...(used as [string, string]));
      await use('user', subject, 'day', '2028-02-29', '1');
    }
    await use('user', 'released', 'month', '2028-02-01', '0');
    await use('user', 'last-month', 'month', '2028-01-01', '2');
    await use('group', 'no-group', 'month', '2028-02-01', '2');
    expect(await names()).toEqual([
      'defaulted month *',
      'holds month *',
      'other-period day',
      'other-period month *',
      'own month',
    ]);
    const [defaulted] = await all({ subject: 'defaulted' });
    expect(defaulted).toMatchObject({ limit_usd: '3.000000000', remaining_usd: '1.000000000', ordinal: 1 });
    expect(await names({ at: '2028-01-31T23:59:59.999Z' })).toContain('last-month month *');
    const past = (await page({ at: '2028-01-31' })).body;
    expect(past).toMatchObject({ at: '2028-01-31T00:00:00.000Z', limits_as_of: expect.any(String) });
    expect(Date.parse(past.limits_as_of)).toBeGreaterThan(Date.parse('2025-01-01'));
    expect(await names({ at: '2028-01-31' })).toEqual(await names({ at: '2028-01-31T00:00:00Z' }));
    await setDefault('3', 'day');
    expect(await names({ subject: 'd' })).toEqual(['defaulted day *']);
    await manager.client.call('DELETE /v1/budgets/default', { token: manager.tokens.admin });
    expect(await names()).toEqual(['other-period day', 'own month']);
  });

  it('give groups their place after people, by precedence, then id', async () => {
    const groups = (await Promise.all([makeGroup(manager), makeGroup(manager), makeGroup(manager)])).sort();
    const [a, b, c] = groups;
    const group = (subject_id: string, period: string, more = {}) => ({
      ...user(subject_id, period),
      scope: 'group',
      ...more,
    });
    await set([user('ann'), group(a, 'day'), group(b, 'month'), group(b, 'year'), group(c, 'day', { precedence: 1 })]);
    expect((await all()).map(({ subject_id, period, ordinal }) => [subject_id, period, ordinal])).toEqual([
      [a, 'day', 3],
      [b, 'month', 4],
      [b, 'year', 4],
      [c, 'day', 2],
      ['ann', 'month', 1],
    ]);
    expect(await names({ scope: 'user' })).toEqual(['ann month']);
    expect(await names({ scope: 'group', subject: b.slice(0, 30).toUpperCase() })).toEqual([`${b} month`, `${b} year`]);
    expect((await page({ scope: 'group', subject: c })).body.cells).toEqual([expect.objectContaining({ ordinal: 2 })]);
  });

  it('are in pages of every size, each cell once, from the first to the last', async () => {
    const groups = await Promise.all([makeGroup(manager), makeGroup(manager), makeGroup(manager)]);
    await setDefault('3', 'month');
    await set([
      ...groups.map((subject_id) => ({ ...user(subject_id), scope: 'group' })),
      ...['a', 'aa', 'ab', 'b', '～', '😀'].flatMap((subject) => [user(subject, 'day'), user(subject, 'year')]),
      user('aa', 'month'),
    ]);
    for (const subject of ['a', 'aa', 'a0', 'az', 'b', 'zz', '～', '😀', '😁'])
      await use('user', subject, 'month', '2028-02-01', '1');
    const whole = await names({ limit: 200 });
    expect(whole).toEqual([
      ...groups.sort().map((id) => `${id} month`),
      ...['a day', 'a month *', 'a year', 'a0 month *', 'aa day', 'aa month', 'aa year', 'ab day', 'ab year'],
      ...['az month *', 'b day', 'b month *', 'b year', 'zz month *'],
      ...['～ day', '～ month *', '～ year', '😀 day', '😀 month *', '😀 year', '😁 month *'],
    ]);
    for (const limit of [1, 2, 3, 5, 23, 24, 25]) expect([limit, await names({ limit })]).toEqual([limit, whole]);
    expect(await names({ subject: 'a', scope: 'user', limit: 2 })).toEqual(
      whole.slice(3, 13).filter((name) => /^a/.test(name)),
    );
    expect(await names({ subject: '😀', limit: 2 })).toEqual(['😀 day', '😀 month *', '😀 year']);
    expect((await page({ limit: 24 })).body.next_cursor).toBeUndefined();
    expect((await page({ limit: 23 })).body.next_cursor).toBeDefined();
  });

  it('keep their windows from page to page, and their cursors to themselves', async () => {
    await set([user('ann', 'day'), user('bob', 'day'), user('cy', 'day')]);
    // Good past the next midnight, between the two pages.
    const token = await manager.issuer.token({ subject: 'admin', roles: ['admin'], expiresIn: 200_000 });
    const real = clock.time;
    const midnight = Math.ceil(real / 86_400_000) * 86_400_000;
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
      clock.time = real;
    }
    const cursor = (await page({ limit: 1, scope: 'user' })).body.next_cursor ?? '';
    expect((await page({ cursor, scope: 'user' })).status).toBe(200);
    for (const [query, by] of [
      [{ cursor }, manager.tokens.admin],
      [{ cursor, scope: 'group' }, manager.tokens.admin],
      [{ cursor, scope: 'user', subject: 'a' }, manager.tokens.admin],
      [{ cursor, scope: 'user', at: '2028-02-29T23:59:59Z' }, manager.tokens.admin],
      [{ cursor: `${cursor}A`, scope: 'user' }, manager.tokens.admin],
      [{ cursor, scope: 'user' }, manager.tokens.auditor],
    ] as const)
      expect(await page(query, by)).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^cursor: /) } });
  });

  it('clamp a large limit, and refuse what is none, with the name of the field', async () => {
    await set(Array.from({ length: 250 }, (_, n) => user(`u${n}`)));
    expect((await page({ limit: 100_000 })).body.cells).toHaveLength(200);
    expect((await page()).body.cells).toHaveLength(50);
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
      expect(await page(query)).toMatchObject({ status: 400, body: { error: expect.stringMatching(`^${field}: `) } });
    for (const at of ['0001-01-01T00:00:00Z', '9998-12-31T23:59:59Z'])
      expect((await page({ at, limit: 1 })).status).toBe(200);
    expect((await page({}, manager.tokens.auditor)).status).toBe(200);
    expect((await page({}, manager.tokens.alice)).status).toBe(403);
  });
});
