import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { makeUsers, makeUnboundUser } from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const LIST = 'GET /v1/budgets';
const REPLACE = 'PUT /v1/budgets';
const PUT_USER = 'PUT /v1/budgets/users/{id}';
const DELETE_USER = 'DELETE /v1/budgets/users/{id}';
const PUT_GROUP = 'PUT /v1/budgets/groups/{id}';
const DELETE_GROUP = 'DELETE /v1/budgets/groups/{id}';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

interface Spec {
  scope: 'user' | 'group';
  subject_id: string;
  limit_usd: string;
  period: string;
  precedence?: number;
}
type Failure = { error: string };

const makeUserBudget = (subject_id: string, period = 'month', limit_usd = '10'): Spec => ({
  scope: 'user',
  subject_id,
  limit_usd,
  period,
});

describe('/v1/budgets', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());
  beforeEach(() => manager.sql('TRUNCATE budgets, group_precedences, default_user_budget, budget_cells'));

  const call = <Body = Failure>(
    operation: string,
    { id, body, tag, none }: { id?: string; body?: unknown; tag?: string; none?: string } = {},
  ) =>
    manager.client.call<Body>(operation, {
      token: manager.tokens.admin,
      ...(id !== undefined && { path: { id } }),
      ...(body !== undefined && { body }),
      headers: { ...(tag !== undefined && { 'if-match': tag }), ...(none !== undefined && { 'if-none-match': none }) },
    });
  const read = async () => {
    const { body, headers } = await call<{ budgets: Spec[] }>(LIST);
    return { budgets: body.budgets, etag: headers.get('etag') ?? '' };
  };
  const readNames = async () =>
    (await read()).budgets.map(
      ({ scope, subject_id, period, limit_usd, precedence }) =>
        `${scope} ${subject_id} ${period} ${Number(limit_usd)}${precedence === undefined ? '' : ` #${precedence}`}`,
    );
  const replace = (budgets: unknown[], tag?: string) =>
    call(REPLACE, { body: { budgets }, ...(tag !== undefined && { tag }) });
  const makeLimit = (limit_usd: string, period = 'month', more = {}) => ({ limit_usd, period, ...more });
  const readLastEvent = async () =>
    (
      await manager.sql<object>(
        `SELECT operation, object_kind, object_id, changed_fields FROM audit_events WHERE outcome = 'succeeded' ORDER BY occurred_at DESC, id DESC LIMIT 1`,
      )
    )[0];
  const countEvents = async () =>
    (await manager.sql<{ n: number }>('SELECT count(*)::int AS n FROM audit_events'))[0]?.n ?? 0;

  it('refuses the directory id of a user', async () => {
    const [subject, other] = await makeUsers(manager, 2);
    const [row] = await manager.sql<{ id: string }>('SELECT id::text AS id FROM users WHERE subject = $1', [subject]);
    const id = row!.id;
    const sentence = `is the directory id of a user; use the subject_id "${subject}" instead`;
    const before = await countEvents();
    const one = await call(PUT_USER, { id, body: makeLimit('1') });
    expect([one.status, one.body.error]).toEqual([400, `id: ${sentence}`]);
    const all = await replace([makeUserBudget('alice'), makeUserBudget(id)]);
    expect([all.status, all.body.error]).toEqual([400, `budgets[1].subject_id: ${sentence}`]);
    // A 400 comes before a 412, and a 412 before a 422.
    expect((await call(PUT_USER, { id, body: makeLimit('1'), tag: '"stale"' })).status).toBe(400);
    expect(
      (await replace([makeUserBudget(id), { ...makeUserBudget(UNKNOWN), scope: 'group' }], '"stale"')).status,
    ).toBe(400);
    expect([await readNames(), await countEvents()]).toEqual([[], before]);

    expect((await call(PUT_USER, { id: UNKNOWN, body: makeLimit('1') })).status).toBe(204);
    await manager.sql('UPDATE users SET subject = $1 WHERE subject = $2', [id, other]);
    expect((await call(PUT_USER, { id, body: makeLimit('1') })).status).toBe(204);
  });

  it('refuses the directory id of a user without a sign-in, in upper and lower case', async () => {
    const id = await makeUnboundUser(manager);
    const sentence =
      'is the directory id of a user who has not signed in yet and has no subject_id; use the subject that the tokens of this user will have';
    for (const spelling of [id, id.toUpperCase()]) {
      const one = await call(PUT_USER, { id: spelling, body: makeLimit('1') });
      expect([one.status, one.body.error]).toEqual([400, `id: ${sentence}`]);
      const all = await replace([makeUserBudget('alice'), makeUserBudget(spelling)]);
      expect([all.status, all.body.error]).toEqual([400, `budgets[1].subject_id: ${sentence}`]);
    }
    expect((await call(DELETE_USER, { id })).status).toBe(404);
    expect(await readNames()).toEqual([]);
  });

  it('returns an empty list with an ETag at first, and 304 for an unchanged list', async () => {
    const { budgets, etag } = await read();
    expect(budgets).toEqual([]);
    const again = await call(LIST, { none: etag });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, etag]);
    await call(PUT_USER, { id: 'alice', body: makeLimit('1') });
    expect((await call(LIST, { none: etag })).status).toBe(200);
  });

  it('replaces all budgets and lists them in a fixed order', async () => {
    const [one, two] = (await Promise.all([makeGroup(manager), makeGroup(manager)])).sort();
    const wanted = [
      makeUserBudget('😀'),
      makeUserBudget('～'),
      makeUserBudget('bob', 'year', '0'),
      makeUserBudget('bob', 'day', '0.000000001'),
      { scope: 'group', subject_id: two.toUpperCase(), limit_usd: '999999999999.999999999', period: 'day' },
      { scope: 'group', subject_id: one, limit_usd: '5', period: 'month', precedence: 2 },
      makeUserBudget('Alice'),
    ];
    expect((await replace(wanted)).status).toBe(204);
    const { budgets, etag } = await read();
    expect(budgets).toEqual([
      { scope: 'group', subject_id: one, limit_usd: '5.000000000', period: 'month', precedence: 2 },
      { scope: 'group', subject_id: two, limit_usd: '999999999999.999999999', period: 'day' },
      makeUserBudget('Alice', 'month', '10.000000000'),
      makeUserBudget('bob', 'day', '0.000000001'),
      makeUserBudget('bob', 'year', '0.000000000'),
      makeUserBudget('～', 'month', '10.000000000'),
      makeUserBudget('😀', 'month', '10.000000000'),
    ]);
    expect((await replace([...wanted].reverse())).status).toBe(204);
    expect((await read()).etag).toBe(etag);
    expect((await replace(budgets, etag)).status).toBe(204);
    expect(await read()).toEqual({ budgets, etag });
    expect((await replace([])).status).toBe(204);
    expect(await readNames()).toEqual([]);
  });

  it('sets the limit of one period and deletes the limits of all periods', async () => {
    const group = await makeGroup(manager);
    for (const [id, body] of [
      ['alice', makeLimit('1', 'day')],
      ['alice', makeLimit('2', 'month')],
      ['alice', makeLimit('3', 'day')],
      ['bob', makeLimit('4', 'year')],
    ] as const)
      expect((await call(PUT_USER, { id, body })).status).toBe(204);
    expect((await call(PUT_GROUP, { id: group, body: makeLimit('5', 'day', { precedence: 7 }) })).status).toBe(204);
    expect((await call(PUT_GROUP, { id: group.toUpperCase(), body: makeLimit('6', 'month') })).status).toBe(204);
    expect(await readNames()).toEqual([
      `group ${group} day 5 #7`,
      `group ${group} month 6 #7`,
      'user alice day 3',
      'user alice month 2',
      'user bob year 4',
    ]);
    expect((await call(DELETE_USER, { id: 'alice' })).status).toBe(204);
    expect((await call(DELETE_USER, { id: 'alice' })).status).toBe(404);
    expect((await call(DELETE_GROUP, { id: group })).status).toBe(204);
    expect((await call(DELETE_GROUP, { id: group })).status).toBe(404);
    expect((await call(PUT_GROUP, { id: group, body: makeLimit('1') })).status).toBe(204);
    expect(await readNames()).toEqual([`group ${group} month 1`, 'user bob year 4']);
  });

  it('keeps the precedence of groups when a collection has none', async () => {
    const [stays, goes] = await Promise.all([makeGroup(manager), makeGroup(manager)]);
    const group = (subject_id: string, more = {}): Spec => ({
      scope: 'group',
      subject_id,
      limit_usd: '1',
      period: 'day',
      ...more,
    });
    await replace([group(stays, { precedence: 3 }), group(goes, { precedence: 4 })]);
    await replace([group(stays, { period: 'year' })]);
    expect(await readNames()).toEqual([`group ${stays} year 1 #3`]);
    await replace([group(stays), group(goes)]);
    expect((await readNames()).sort()).toEqual([`group ${goes} day 1`, `group ${stays} day 1 #3`].sort());
    await replace([group(stays, { precedence: 9 }), group(stays, { period: 'month' })]);
    expect(await readNames()).toEqual([`group ${stays} day 1 #9`, `group ${stays} month 1 #9`]);
  });

  it('accepts owner references of further issuers and normalizes those of the first issuer', async () => {
    const id = 'corp/ann/öé 100%?#';
    expect((await call(PUT_USER, { id, body: makeLimit('1') })).status).toBe(204);
    // `local` is the first issuer: its users are named by their subject.
    expect((await call(PUT_USER, { id: 'local/alice', body: makeLimit('2') })).status).toBe(204);
    expect(await readNames()).toEqual(['user alice month 2', `user ${id} month 1`]);
    const both = await replace([makeUserBudget('alice'), makeUserBudget('local/alice')]);
    expect(both).toMatchObject({
      status: 400,
      body: { error: 'budgets[1]: is for the same subject and period as budgets[0]' },
    });
    expect((await call(PUT_USER, { id: 'local/', body: makeLimit('2') })).body.error).toMatch(/^id: /);
    expect((await replace([makeUserBudget('local/')])).body.error).toMatch(/^budgets\[0\]\.subject_id: /);
    expect((await call(DELETE_USER, { id: 'local/alice' })).status).toBe(204);
    expect((await call(DELETE_USER, { id })).status).toBe(204);
    expect(await readNames()).toEqual([]);
  });

  it('returns 412 for each write with an outdated ETag', async () => {
    const group = await makeGroup(manager);
    await replace([makeUserBudget('alice'), { ...makeUserBudget(group), scope: 'group' }]);
    const before = await read();
    await call(PUT_USER, { id: 'bob', body: makeLimit('1') });
    const now = await read();
    const stale = { tag: before.etag };
    for (const [operation, more] of [
      [REPLACE, { body: { budgets: [] } }],
      [PUT_USER, { id: 'alice', body: makeLimit('9') }],
      [DELETE_USER, { id: 'alice' }],
      [PUT_GROUP, { id: group, body: makeLimit('9') }],
      [DELETE_GROUP, { id: group }],
    ] as const) {
      expect([operation, (await call(operation, { ...more, ...stale })).status]).toEqual([operation, 412]);
      expect([operation, (await call(operation, { ...more, tag: 'garbage' })).status]).toEqual([operation, 400]);
      expect((await call(operation, { ...more, tag: `W/${now.etag}` })).status).toBe(412);
    }
    expect(await read()).toEqual(now);
    // A missing budget or group is 404 with any ETag.
    expect((await call(DELETE_USER, { id: 'unknown', ...stale })).status).toBe(404);
    expect((await call(DELETE_GROUP, { id: UNKNOWN, ...stale })).status).toBe(404);
    expect((await call(PUT_GROUP, { id: UNKNOWN, body: makeLimit('1'), ...stale })).status).toBe(404);
    // A 412 comes before a 422.
    expect((await replace([{ ...makeUserBudget(UNKNOWN), scope: 'group' }], before.etag)).status).toBe(412);
    for (const tag of [now.etag, '*', `"other", ${now.etag}`]) {
      const { etag } = await read();
      const sent = tag === '*' ? tag : tag.replace(now.etag, etag);
      expect((await call(PUT_USER, { id: randomUUID(), body: makeLimit('1'), tag: sent })).status).toBe(204);
    }
    expect((await call(DELETE_GROUP, { id: group, tag: (await read()).etag })).status).toBe(204);
  });

  it('names each invalid item of a collection and changes nothing', async () => {
    await replace([makeUserBudget('alice')]);
    const before = await read();
    const group = { ...makeUserBudget(UNKNOWN), scope: 'group' };
    for (const [budgets, status, sentence] of [
      [
        [makeUserBudget('a'), makeUserBudget('b'), makeUserBudget('a', 'month', '7')],
        400,
        'budgets[2]: is for the same subject and period as budgets[0]',
      ],
      [[makeUserBudget('a'), { ...makeUserBudget('b'), limit_usd: 12 }], 400, 'budgets[1].limit_usd: must be a string'],
      [
        [makeUserBudget('a'), makeUserBudget('b', 'week')],
        400,
        'budgets[1].period: must be one of "day", "month", "year"',
      ],
      [[{ ...makeUserBudget('a'), extra: 1 }], 400, 'budgets[0].extra: is not a known field'],
      [[makeUserBudget('a'), group], 422, `budgets[1].subject_id: there is no group ${UNKNOWN}`],
      [
        [makeUserBudget('a'), { ...group, subject_id: 'staff' }],
        400,
        'budgets[1].subject_id: must be the UUID of a group',
      ],
      [
        [{ ...makeUserBudget('a'), precedence: 1 }],
        400,
        'budgets[0].precedence: is only allowed for budgets of groups',
      ],
    ] as const)
      expect(await replace([...budgets])).toMatchObject({ status, body: { error: sentence } });
    expect((await call(PUT_USER, { id: 'a', body: makeLimit('1e3') })).body.error).toMatch(
      /^limit_usd: must be a decimal/,
    );
    expect((await call(PUT_GROUP, { id: 'staff', body: makeLimit('1') })).status).toBe(400);
    expect((await call(PUT_GROUP, { id: UNKNOWN, body: makeLimit('1') })).status).toBe(404);
    expect(await read()).toEqual(before);
  });

  it('accepts collections of at most 8 MiB', async () => {
    const text = JSON.stringify({ budgets: Array.from({ length: 10_000 }, (_, n) => makeUserBudget(`u${n}`)) });
    const whole = text + ' '.repeat(8 * 1024 * 1024 - text.length);
    const send = (body: string) =>
      manager.client.call<Failure>(REPLACE, { token: manager.tokens.admin, raw: { body } });
    expect((await send(`${whole} `)).status).toBe(413);
    expect(await readNames()).toEqual([]);
    expect((await send(whole)).status).toBe(204);
    expect(await readNames()).toHaveLength(10_000);
    const wide = await manager.client.call<Failure>(PUT_USER, {
      token: manager.tokens.admin,
      path: { id: 'a' },
      raw: { body: JSON.stringify(makeLimit('1')) + ' '.repeat(1024 * 1024) },
    });
    expect(wide.status).toBe(413);
  }, 60_000);

  it('records the names of changed budgets in audit events of at most 1,000 names', async () => {
    const group = await makeGroup(manager);
    await replace([makeUserBudget('alice'), makeUserBudget('bob')]);
    await replace([
      makeUserBudget('alice', 'month', '11'),
      { ...makeUserBudget(group), scope: 'group', precedence: 4 },
    ]);
    expect(await readLastEvent()).toEqual({
      operation: 'Set budgets',
      object_kind: 'budgets',
      object_id: 'budgets',
      changed_fields: [`groups/${group}/month`, 'users/alice/month', 'users/bob/month', `groups/${group}/precedence`],
    });
    await call(PUT_GROUP, { id: group, body: makeLimit('10', 'month', { precedence: 5 }) });
    expect(await readLastEvent()).toEqual({
      operation: 'Put group budget',
      object_kind: 'group_budget',
      object_id: group,
      changed_fields: [`groups/${group}/precedence`],
    });
    await call(DELETE_GROUP, { id: group });
    expect(await readLastEvent()).toMatchObject({
      operation: 'Delete group budget',
      changed_fields: [`groups/${group}/month`, `groups/${group}/precedence`],
    });
    await call(PUT_USER, { id: 'corp/ann', body: makeLimit('1', 'year') });
    expect(await readLastEvent()).toMatchObject({ object_id: 'corp/ann', changed_fields: ['users/corp/ann/year'] });
    const before = await countEvents();
    await call(PUT_USER, { id: 'corp/ann', body: makeLimit('1.0', 'year') });
    expect(await countEvents()).toBe(before);
    await replace(Array.from({ length: 2_500 }, (_, n) => makeUserBudget(`u${n}`)));
    const rows = await manager.sql<{ n: number }>(
      `SELECT cardinality(changed_fields) AS n FROM audit_events WHERE operation = 'Set budgets' ORDER BY id DESC LIMIT 3`,
    );
    expect(rows.map(({ n }) => n)).toEqual([502, 1000, 1000]);
  });

  it('deletes the budgets of a deleted group', async () => {
    const group = await makeGroup(manager);
    await call(PUT_GROUP, { id: group, body: makeLimit('1', 'day', { precedence: 1 }) });
    await manager.sql(
      `INSERT INTO budget_cells (subject_id, scope, period, period_start, used_usd) VALUES ($1, 'group', 'day', '2026-01-01', 3)`,
      [group],
    );
    const { etag } = await read();
    const deleted = await manager.client.call('DELETE /v1/groups/{id}', {
      token: manager.tokens.admin,
      path: { id: group },
    });
    expect(deleted.status).toBeLessThan(300);
    expect(await readNames()).toEqual([]);
    expect(await manager.sql('SELECT FROM group_precedences')).toEqual([]);
    expect(await manager.sql('SELECT FROM budget_cells WHERE subject_id = $1', [group])).toHaveLength(1);
    expect((await call(PUT_USER, { id: 'a', body: makeLimit('1'), tag: etag })).status).toBe(412);
  });

  it('does not change usage on replacement, on deletion and with the default budget', async () => {
    await manager.sql(
      `INSERT INTO budget_cells (subject_id, scope, period, period_start, used_usd, reserved_usd)
       SELECT 'alice', 'user', p, date_trunc(p, now() AT TIME ZONE 'UTC')::date, 3.25, 0.5 FROM unnest('{day,month,year}'::text[]) AS p`,
    );
    const readCells = () => manager.sql('SELECT *, xmin::text FROM budget_cells ORDER BY period');
    const readUsed = async () => {
      const { body } = await manager.client.call<{ cells: { subject_id: string; used_usd: string }[] }>(
        'GET /v1/budgets/summary',
        { token: manager.tokens.admin, query: { subject: 'alice' } },
      );
      return body.cells.map((cell) => cell.used_usd);
    };
    const before = await readCells();
    await replace([makeUserBudget('alice')]);
    expect(await readUsed()).toEqual(['3.250000000']);
    await replace([makeUserBudget('alice', 'day'), makeUserBudget('alice', 'month', '1')]);
    expect(await readUsed()).toEqual(['3.250000000', '3.250000000']);
    await call(PUT_USER, { id: 'alice', body: makeLimit('0') });
    await call(DELETE_USER, { id: 'alice' });
    expect(await readUsed()).toEqual([]);
    await call('PUT /v1/budgets/default', { body: makeLimit('9', 'year') });
    expect(await readUsed()).toEqual(['3.250000000']);
    await replace([]);
    expect(await readUsed()).toEqual(['3.250000000']);
    expect(await readCells()).toEqual(before);
  });

  it('never reuses an ETag, also after a change is reverted', async () => {
    const tags = [(await read()).etag];
    for (const value of ['1', '2', '1']) {
      const { headers } = await call(PUT_USER, { id: 'alice', body: makeLimit(value) });
      expect(headers.get('etag')).toBe((await read()).etag);
      tags.push(headers.get('etag') ?? '');
    }
    tags.push((await call(DELETE_USER, { id: 'alice' })).headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(5);
    for (const tag of tags.slice(0, -1))
      expect((await call(PUT_USER, { id: 'bob', body: makeLimit('1'), tag })).status).toBe(412);
    const unchanged = await replace([], tags.at(-1));
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([204, tags.at(-1)]);
  });

  it('checks the ETag of the default user budget on its writes', async () => {
    const DEFAULT = 'PUT /v1/budgets/default';
    const put = (value: string, tag?: string) =>
      call(DEFAULT, { body: makeLimit(value), ...(tag !== undefined && { tag }) });
    for (const tag of ['"1"', '*']) {
      const refused = await put('1', tag);
      expect([refused.status, refused.body.error]).toEqual([
        412,
        expect.stringMatching(/^If-Match: there is no default/),
      ]);
      expect((await call('DELETE /v1/budgets/default', { tag })).status).toBe(412);
    }
    const tags = [];
    for (const value of ['1', '2', '1']) tags.push((await put(value)).headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(3);
    const current = await call('GET /v1/budgets/default');
    expect([current.status, current.headers.get('etag')]).toEqual([200, tags[2]]);
    expect((await call('GET /v1/budgets/default', { none: tags[2] ?? '' })).status).toBe(304);
    for (const tag of [tags[0], tags[1]]) {
      expect((await put('5', tag)).status).toBe(412);
      expect((await call('DELETE /v1/budgets/default', { tag: tag ?? '' })).status).toBe(412);
    }
    expect((await put('5', 'garbage')).status).toBe(400);
    expect((await put('1', tags[2])).headers.get('etag')).toBe(tags[2]);
    expect((await put('5', tags[2])).status).toBe(204);
    const last = (await call('GET /v1/budgets/default')).headers.get('etag') ?? '';
    expect((await call('DELETE /v1/budgets/default', { tag: last })).status).toBe(204);
    expect((await put('5', last)).status).toBe(412);
    expect((await put('5')).headers.get('etag')).not.toBe(last);
  });

  it('sets, returns and deletes the default user budget with audit events', async () => {
    expect((await call('GET /v1/budgets/default')).status).toBe(404);
    expect((await call('DELETE /v1/budgets/default')).status).toBe(204);
    expect((await call('PUT /v1/budgets/default', { body: makeLimit('7.5', 'day') })).status).toBe(204);
    expect((await call('GET /v1/budgets/default')).body).toEqual({ limit_usd: '7.500000000', period: 'day' });
    await call('PUT /v1/budgets/default', { body: makeLimit('7.5', 'month') });
    expect(await readLastEvent()).toEqual({
      operation: 'Put default user budget',
      object_kind: 'default_user_budget',
      object_id: 'default',
      changed_fields: ['period'],
    });
    for (const [body, field] of [
      [makeLimit('-1'), 'limit_usd'],
      [makeLimit('1', 'week'), 'period'],
      [{ period: 'day' }, 'limit_usd'],
      [{ ...makeLimit('1'), scope: 'user' }, 'scope'],
    ] as const)
      expect(await call('PUT /v1/budgets/default', { body })).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(`^${field}: `) },
      });
    expect(await readNames()).toEqual([]);
    expect((await call('DELETE /v1/budgets/default')).status).toBe(204);
    expect(await readLastEvent()).toMatchObject({ changed_fields: ['limit_usd', 'period'] });
    expect((await call('GET /v1/budgets/default')).status).toBe(404);
  });
});
