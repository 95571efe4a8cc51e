import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { makePeople, makeUnboundUser } from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const READ = 'GET /v1/budgets';
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

const user = (subject_id: string, period = 'month', limit_usd = '10'): Spec => ({
  scope: 'user',
  subject_id,
  limit_usd,
  period,
});

describe('budgets', () => {
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
    const { body, headers } = await call<{ budgets: Spec[] }>(READ);
    return { budgets: body.budgets, etag: headers.get('etag') ?? '' };
  };
  const names = async () =>
    (await read()).budgets.map(
      ({ scope, subject_id, period, limit_usd, precedence }) =>
        `${scope} ${subject_id} ${period} ${Number(limit_usd)}${precedence === undefined ? '' : ` #${precedence}`}`,
    );
  const replace = (budgets: unknown[], tag?: string) =>
    call(REPLACE, { body: { budgets }, ...(tag !== undefined && { tag }) });
  const limit = (limit_usd: string, period = 'month', more = {}) => ({ limit_usd, period, ...more });
  const lastEvent = async () =>
    (
      await manager.sql<object>(
        `SELECT operation, object_kind, object_id, changed_fields FROM audit_events WHERE outcome = 'succeeded' ORDER BY occurred_at DESC, id DESC LIMIT 1`,
      )
    )[0];
  const events = async () =>
    (await manager.sql<{ n: number }>('SELECT count(*)::int AS n FROM audit_events'))[0]?.n ?? 0;

  it('are of no person’s id in the directory, which no admission would ever look for', async () => {
    const [subject, other] = await makePeople(manager, 2);
    const [row] = await manager.sql<{ id: string }>('SELECT id::text AS id FROM users WHERE subject = $1', [subject]);
    const id = row!.id;
    const sentence = `is the directory id of a user; use the subject_id "${subject}" instead`;
    const before = await events();
    const one = await call(PUT_USER, { id, body: limit('1') });
    expect([one.status, one.body.error]).toEqual([400, `id: ${sentence}`]);
    const all = await replace([user('alice'), user(id)]);
    expect([all.status, all.body.error]).toEqual([400, `budgets[1].subject_id: ${sentence}`]);
    // Mistakes are told before preconditions, and those before what a rule refuses.
    expect((await call(PUT_USER, { id, body: limit('1'), tag: '"stale"' })).status).toBe(400);
    expect((await replace([user(id), { ...user(UNKNOWN), scope: 'group' }], '"stale"')).status).toBe(400);
    expect([await names(), await events()]).toEqual([[], before]);

    expect((await call(PUT_USER, { id: UNKNOWN, body: limit('1') })).status).toBe(204);
    await manager.sql('UPDATE users SET subject = $1 WHERE subject = $2', [id, other]);
    expect((await call(PUT_USER, { id, body: limit('1') })).status).toBe(204);
  });

  it('refuse the directory id of a user who has never signed in, in any spelling', async () => {
    const id = await makeUnboundUser(manager);
    const sentence =
      'is the directory id of a user who has not signed in yet and has no subject_id; use the subject that the tokens of this user will have';
    for (const written of [id, id.toUpperCase()]) {
      const one = await call(PUT_USER, { id: written, body: limit('1') });
      expect([one.status, one.body.error]).toEqual([400, `id: ${sentence}`]);
      const all = await replace([user('alice'), user(written)]);
      expect([all.status, all.body.error]).toEqual([400, `budgets[1].subject_id: ${sentence}`]);
    }
    expect((await call(DELETE_USER, { id })).status).toBe(404);
    expect(await names()).toEqual([]);
  });

  it('are none at first, with an ETag that a read is spared by', async () => {
    const { budgets, etag } = await read();
    expect(budgets).toEqual([]);
    const again = await call(READ, { none: etag });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, etag]);
    await call(PUT_USER, { id: 'alice', body: limit('1') });
    expect((await call(READ, { none: etag })).status).toBe(200);
  });

  it('are replaced as a whole, and read in one order whatever the order they came in', async () => {
    const [one, two] = (await Promise.all([makeGroup(manager), makeGroup(manager)])).sort();
    const wanted = [
      user('😀'),
      user('～'),
      user('bob', 'year', '0'),
      user('bob', 'day', '0.000000001'),
      { scope: 'group', subject_id: two.toUpperCase(), limit_usd: '999999999999.999999999', period: 'day' },
      { scope: 'group', subject_id: one, limit_usd: '5', period: 'month', precedence: 2 },
      user('Alice'),
    ];
    expect((await replace(wanted)).status).toBe(204);
    const { budgets, etag } = await read();
    expect(budgets).toEqual([
      { scope: 'group', subject_id: one, limit_usd: '5.000000000', period: 'month', precedence: 2 },
      { scope: 'group', subject_id: two, limit_usd: '999999999999.999999999', period: 'day' },
      user('Alice', 'month', '10.000000000'),
      user('bob', 'day', '0.000000001'),
      user('bob', 'year', '0.000000000'),
      user('～', 'month', '10.000000000'),
      user('😀', 'month', '10.000000000'),
    ]);
    expect((await replace([...wanted].reverse())).status).toBe(204);
    expect((await read()).etag).toBe(etag);
    expect((await replace(budgets, etag)).status).toBe(204);
    expect(await read()).toEqual({ budgets, etag });
    expect((await replace([])).status).toBe(204);
    expect(await names()).toEqual([]);
  });

  it('are written for one period at a time, and deleted for all', async () => {
    const group = await makeGroup(manager);
    for (const [id, body] of [
      ['alice', limit('1', 'day')],
      ['alice', limit('2', 'month')],
      ['alice', limit('3', 'day')],
      ['bob', limit('4', 'year')],
    ] as const)
      expect((await call(PUT_USER, { id, body })).status).toBe(204);
    expect((await call(PUT_GROUP, { id: group, body: limit('5', 'day', { precedence: 7 }) })).status).toBe(204);
    expect((await call(PUT_GROUP, { id: group.toUpperCase(), body: limit('6', 'month') })).status).toBe(204);
    expect(await names()).toEqual([
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
    expect((await call(PUT_GROUP, { id: group, body: limit('1') })).status).toBe(204);
    expect(await names()).toEqual([`group ${group} month 1`, 'user bob year 4']);
  });

  it('keep the precedence of groups that stay, when a collection has none', async () => {
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
    expect(await names()).toEqual([`group ${stays} year 1 #3`]);
    await replace([group(stays), group(goes)]);
    expect((await names()).sort()).toEqual([`group ${goes} day 1`, `group ${stays} day 1 #3`].sort());
    await replace([group(stays, { precedence: 9 }), group(stays, { period: 'month' })]);
    expect(await names()).toEqual([`group ${stays} day 1 #9`, `group ${stays} month 1 #9`]);
  });

  it('of a person of another issuer are found under an id with a slash; a person has one name', async () => {
    const id = 'corp/ann/öé 100%?#';
    expect((await call(PUT_USER, { id, body: limit('1') })).status).toBe(204);
    // `local` is the first issuer: its people are named by their subject alone.
    expect((await call(PUT_USER, { id: 'local/alice', body: limit('2') })).status).toBe(204);
    expect(await names()).toEqual(['user alice month 2', `user ${id} month 1`]);
    const both = await replace([user('alice'), user('local/alice')]);
    expect(both).toMatchObject({
      status: 400,
      body: { error: 'budgets[1]: is for the same subject and period as budgets[0]' },
    });
    expect((await call(PUT_USER, { id: 'local/', body: limit('2') })).body.error).toMatch(/^id: /);
    expect((await replace([user('local/')])).body.error).toMatch(/^budgets\[0\]\.subject_id: /);
    expect((await call(DELETE_USER, { id: 'local/alice' })).status).toBe(204);
    expect((await call(DELETE_USER, { id })).status).toBe(204);
    expect(await names()).toEqual([]);
  });

  it('are not written over by somebody who has read another state of them', async () => {
    const group = await makeGroup(manager);
    await replace([user('alice'), { ...user(group), scope: 'group' }]);
    const before = await read();
    await call(PUT_USER, { id: 'bob', body: limit('1') });
    const now = await read();
    const stale = { tag: before.etag };
    for (const [operation, more] of [
      [REPLACE, { body: { budgets: [] } }],
      [PUT_USER, { id: 'alice', body: limit('9') }],
      [DELETE_USER, { id: 'alice' }],
      [PUT_GROUP, { id: group, body: limit('9') }],
      [DELETE_GROUP, { id: group }],
    ] as const) {
      expect([operation, (await call(operation, { ...more, ...stale })).status]).toEqual([operation, 412]);
      expect([operation, (await call(operation, { ...more, tag: 'garbage' })).status]).toEqual([operation, 400]);
      expect((await call(operation, { ...more, tag: `W/${now.etag}` })).status).toBe(412);
    }
    expect(await read()).toEqual(now);
    // What does not exist is not found, whatever state was read.
    expect((await call(DELETE_USER, { id: 'nobody', ...stale })).status).toBe(404);
    expect((await call(DELETE_GROUP, { id: UNKNOWN, ...stale })).status).toBe(404);
    expect((await call(PUT_GROUP, { id: UNKNOWN, body: limit('1'), ...stale })).status).toBe(404);
    // A state that is not the current one is told before what a rule refuses.
    expect((await replace([{ ...user(UNKNOWN), scope: 'group' }], before.etag)).status).toBe(412);
    for (const tag of [now.etag, '*', `"other", ${now.etag}`]) {
      const { etag } = await read();
      const sent = tag === '*' ? tag : tag.replace(now.etag, etag);
      expect((await call(PUT_USER, { id: randomUUID(), body: limit('1'), tag: sent })).status).toBe(204);
    }
    expect((await call(DELETE_GROUP, { id: group, tag: (await read()).etag })).status).toBe(204);
  });

  it('name each item of a collection that cannot be taken, and keep what there is', async () => {
    await replace([user('alice')]);
    const before = await read();
    const group = { ...user(UNKNOWN), scope: 'group' };
    for (const [budgets, status, sentence] of [
      [
        [user('a'), user('b'), user('a', 'month', '7')],
        400,
        'budgets[2]: is for the same subject and period as budgets[0]',
      ],
      [[user('a'), { ...user('b'), limit_usd: 12 }], 400, 'budgets[1].limit_usd: must be a string'],
      [[user('a'), user('b', 'week')], 400, 'budgets[1].period: must be one of "day", "month", "year"'],
      [[{ ...user('a'), extra: 1 }], 400, 'budgets[0].extra: is not a known field'],
      [[user('a'), group], 422, `budgets[1].subject_id: there is no group ${UNKNOWN}`],
      [[user('a'), { ...group, subject_id: 'staff' }], 400, 'budgets[1].subject_id: must be the UUID of a group'],
      [[{ ...user('a'), precedence: 1 }], 400, 'budgets[0].precedence: is only allowed for budgets of groups'],
    ] as const)
      expect(await replace([...budgets])).toMatchObject({ status, body: { error: sentence } });
    expect((await call(PUT_USER, { id: 'a', body: limit('1e3') })).body.error).toMatch(/^limit_usd: must be a decimal/);
    expect((await call(PUT_GROUP, { id: 'staff', body: limit('1') })).status).toBe(400);
    expect((await call(PUT_GROUP, { id: UNKNOWN, body: limit('1') })).status).toBe(404);
    expect(await read()).toEqual(before);
  });

  it('come in collections of 8 MiB, and of not a byte more', async () => {
    const text = JSON.stringify({ budgets: Array.from({ length: 10_000 }, (_, n) => user(`u${n}`)) });
    const whole = text + ' '.repeat(8 * 1024 * 1024 - text.length);
    const send = (body: string) =>
      manager.client.call<Failure>(REPLACE, { token: manager.tokens.admin, raw: { body } });
    expect((await send(`${whole} `)).status).toBe(413);
    expect(await names()).toEqual([]);
    expect((await send(whole)).status).toBe(204);
    expect(await names()).toHaveLength(10_000);
    const wide = await manager.client.call<Failure>(PUT_USER, {
      token: manager.tokens.admin,
      path: { id: 'a' },
      raw: { body: JSON.stringify(limit('1')) + ' '.repeat(1024 * 1024) },
    });
    expect(wide.status).toBe(413);
  }, 60_000);

  it('are audited by the names of what changed, in rows of a thousand; a write that changes nothing leaves none', async () => {
    const group = await makeGroup(manager);
    await replace([user('alice'), user('bob')]);
    await replace([user('alice', 'month', '11'), { ...user(group), scope: 'group', precedence: 4 }]);
    expect(await lastEvent()).toEqual({
      operation: 'Set budgets',
      object_kind: 'budgets',
      object_id: 'budgets',
      changed_fields: [`groups/${group}/month`, 'users/alice/month', 'users/bob/month', `groups/${group}/precedence`],
    });
    await call(PUT_GROUP, { id: group, body: limit('10', 'month', { precedence: 5 }) });
    expect(await lastEvent()).toEqual({
      operation: 'Put group budget',
      object_kind: 'group_budget',
      object_id: group,
      changed_fields: [`groups/${group}/precedence`],
    });
    await call(DELETE_GROUP, { id: group });
    expect(await lastEvent()).toMatchObject({
      operation: 'Delete group budget',
      changed_fields: [`groups/${group}/month`, `groups/${group}/precedence`],
    });
    await call(PUT_USER, { id: 'corp/ann', body: limit('1', 'year') });
    expect(await lastEvent()).toMatchObject({ object_id: 'corp/ann', changed_fields: ['users/corp/ann/year'] });
    const before = await events();
    await call(PUT_USER, { id: 'corp/ann', body: limit('1.0', 'year') });
    expect(await events()).toBe(before);
    await replace(Array.from({ length: 2_500 }, (_, n) => user(`u${n}`)));
    const rows = await manager.sql<{ n: number }>(
      `SELECT cardinality(changed_fields) AS n FROM audit_events WHERE operation = 'Set budgets' ORDER BY id DESC LIMIT 3`,
    );
    expect(rows.map(({ n }) => n)).toEqual([502, 1000, 1000]);
  });

  it('of a group end with it', async () => {
    const group = await makeGroup(manager);
    await call(PUT_GROUP, { id: group, body: limit('1', 'day', { precedence: 1 }) });
    await manager.sql(
      `INSERT INTO budget_cells (subject_id, scope, period, period_start, used_usd) VALUES ($1, 'group', 'day', '2026-01-01', 3)`,
      [group],
    );
    const { etag } = await read();
    const gone = await manager.client.call('DELETE /v1/groups/{id}', {
      token: manager.tokens.admin,
      path: { id: group },
    });
    expect(gone.status).toBeLessThan(300);
    expect(await names()).toEqual([]);
    expect(await manager.sql('SELECT FROM group_precedences')).toEqual([]);
    expect(await manager.sql('SELECT FROM budget_cells WHERE subject_id = $1', [group])).toHaveLength(1);
    expect((await call(PUT_USER, { id: 'a', body: limit('1'), tag: etag })).status).toBe(412);
  });

  it('touch no counter: neither a replacement, nor a deletion, nor a fall back to the default', async () => {
    await manager.sql(
      `INSERT INTO budget_cells (subject_id, scope, period, period_start, used_usd, reserved_usd)
       SELECT 'alice', 'user', p, date_trunc(p, now() AT TIME ZONE 'UTC')::date, 3.25, 0.5 FROM unnest('{day,month,year}'::text[]) AS p`,
    );
    const cells = () => manager.sql('SELECT *, xmin::text FROM budget_cells ORDER BY period');
    const used = async () => {
      const { body } = await manager.client.call<{ cells: { subject_id: string; used_usd: string }[] }>(
        'GET /v1/budgets/summary',
        { token: manager.tokens.admin, query: { subject: 'alice' } },
      );
      return body.cells.map((cell) => cell.used_usd);
    };
    const before = await cells();
    await replace([user('alice')]);
    expect(await used()).toEqual(['3.250000000']);
    await replace([user('alice', 'day'), user('alice', 'month', '1')]);
    expect(await used()).toEqual(['3.250000000', '3.250000000']);
    await call(PUT_USER, { id: 'alice', body: limit('0') });
    await call(DELETE_USER, { id: 'alice' });
    expect(await used()).toEqual([]);
    await call('PUT /v1/budgets/default', { body: limit('9', 'year') });
    expect(await used()).toEqual(['3.250000000']);
    await replace([]);
    expect(await used()).toEqual(['3.250000000']);
    expect(await cells()).toEqual(before);
  });

  it('have a tag that never comes back, also after a change that is taken back', async () => {
    const tags = [(await read()).etag];
    for (const value of ['1', '2', '1']) {
      const { headers } = await call(PUT_USER, { id: 'alice', body: limit(value) });
      expect(headers.get('etag')).toBe((await read()).etag);
      tags.push(headers.get('etag') ?? '');
    }
    tags.push((await call(DELETE_USER, { id: 'alice' })).headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(5);
    for (const tag of tags.slice(0, -1))
      expect((await call(PUT_USER, { id: 'bob', body: limit('1'), tag })).status).toBe(412);
    const unchanged = await replace([], tags.at(-1));
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([204, tags.at(-1)]);
  });

  it('have a default whose tag guards its writes', async () => {
    const DEFAULT = 'PUT /v1/budgets/default';
    const put = (value: string, tag?: string) =>
      call(DEFAULT, { body: limit(value), ...(tag !== undefined && { tag }) });
    for (const tag of ['"1"', '*']) {
      const none = await put('1', tag);
      expect([none.status, none.body.error]).toEqual([412, expect.stringMatching(/^If-Match: there is no default/)]);
      expect((await call('DELETE /v1/budgets/default', { tag })).status).toBe(412);
    }
    const tags = [];
    for (const value of ['1', '2', '1']) tags.push((await put(value)).headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(3);
    const held = await call('GET /v1/budgets/default');
    expect([held.status, held.headers.get('etag')]).toEqual([200, tags[2]]);
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

  it('have a default for people, which is audited', async () => {
    expect((await call('GET /v1/budgets/default')).status).toBe(404);
    expect((await call('DELETE /v1/budgets/default')).status).toBe(204);
    expect((await call('PUT /v1/budgets/default', { body: limit('7.5', 'day') })).status).toBe(204);
    expect((await call('GET /v1/budgets/default')).body).toEqual({ limit_usd: '7.500000000', period: 'day' });
    await call('PUT /v1/budgets/default', { body: limit('7.5', 'month') });
    expect(await lastEvent()).toEqual({
      operation: 'Put default user budget',
      object_kind: 'default_user_budget',
      object_id: 'default',
      changed_fields: ['period'],
    });
    for (const [body, field] of [
      [limit('-1'), 'limit_usd'],
      [limit('1', 'week'), 'period'],
      [{ period: 'day' }, 'limit_usd'],
      [{ ...limit('1'), scope: 'user' }, 'scope'],
    ] as const)
      expect(await call('PUT /v1/budgets/default', { body })).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(`^${field}: `) },
      });
    expect(await names()).toEqual([]);
    expect((await call('DELETE /v1/budgets/default')).status).toBe(204);
    expect(await lastEvent()).toMatchObject({ changed_fields: ['limit_usd', 'period'] });
    expect((await call('GET /v1/budgets/default')).status).toBe(404);
  });
});
