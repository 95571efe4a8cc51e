import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface Group {
  id: string;
  display_name: string;
  transitive_member_count: number;
  members?: { id: string; display: string; type: string }[];
}
interface Members {
  direct_child_groups: Group[];
  transitive_users: { id: string; user_name: string; active: boolean }[];
  next_groups_cursor?: string;
  prev_groups_cursor?: string;
  next_users_cursor?: string;
  prev_users_cursor?: string;
}

const crowd = Array.from({ length: 30 }, (_, n) => ({
  subject: `member-${n}`,
  user_name: `member.${n}`,
  display_name: `Member ${n}`,
}));
const MAX_DEPTH = 32;

describe('members of groups', () => {
  let manager: TestManager;
  let users: string[];
  let made = 0;
  beforeAll(async () => {
    manager = await startManager({ people: crowd });
    users = await Promise.all(crowd.map(({ subject }) => manager.findUserId(subject)));
  }, 60_000);
  afterAll(() => manager.close());

  const call = <Body>(operation: string, options: object = {}) =>
    manager.client.call<Body>(operation, { token: manager.tokens.admin, ...options });
  const create = async (display_name = `Group ${(made += 1)}`): Promise<Group> =>
    (await call<Group>('POST /v1/groups', { body: { display_name } })).body;
  const read = async (id: string) => (await call<Group>('GET /v1/groups/{id}', { path: { id } })).body;
  const changeUser = (method: 'PUT' | 'DELETE', group_id: string, user_id: string) =>
    call<Group>(`${method} /v1/groups/{group_id}/users/{user_id}`, { path: { group_id, user_id } });
  const changeSubgroup = (method: 'PUT' | 'DELETE', group_id: string, child_id: string) =>
    call<Group>(`${method} /v1/groups/{group_id}/subgroups/{child_id}`, { path: { group_id, child_id } });
  const listMembers = async (id: string, query: object = {}) =>
    (await call<Members>('GET /v1/groups/{id}/members', { path: { id }, query })).body;
  const createChain = async (length: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < length; n += 1) {
      ids.push((await create()).id);
      if (n > 0) expect((await changeSubgroup('PUT', ids[n - 1]!, ids[n]!)).status).toBe(200);
    }
    return ids;
  };

  it('are added and removed, and a repeated PUT changes nothing and a repeated DELETE returns 404', async () => {
    const { id } = await create();
    const put = await changeUser('PUT', id, users[0]!);
    expect([put.status, put.body.transitive_member_count]).toEqual([200, 1]);
    expect(put.body).not.toHaveProperty('members');
    expect((await changeUser('PUT', id, users[0]!)).body).toEqual(put.body);
    expect((await read(id)).members).toEqual([{ id: users[0], display: 'Member 0', type: 'User' }]);
    const taken = await changeUser('DELETE', id, users[0]!);
    expect([taken.status, taken.body.transitive_member_count]).toEqual([200, 0]);
    expect((await changeUser('DELETE', id, users[0]!)).status).toBe(404);
  });

  it('are counted once if several paths lead to them', async () => {
    const [top, left, right, bottom] = await Promise.all([create(), create(), create(), create()]);
    await changeSubgroup('PUT', top.id, left.id);
    await changeSubgroup('PUT', top.id, right.id);
    await changeSubgroup('PUT', left.id, bottom.id);
    await changeSubgroup('PUT', right.id, bottom.id);
    for (const group of [left, right, bottom]) await changeUser('PUT', group.id, users[1]!);
    await changeUser('PUT', bottom.id, users[2]!);
    expect((await read(top.id)).transitive_member_count).toBe(2);
    expect((await listMembers(top.id)).transitive_users.map(({ id }) => id)).toEqual([users[1], users[2]]);
    expect((await listMembers(top.id)).direct_child_groups.map(({ id }) => id).sort()).toEqual(
      [left.id, right.id].sort(),
    );
    const groups = await call<{ items: Group[] }>('GET /v1/users/{id}/groups', { path: { id: users[2]! } });
    expect(groups.body.items.map(({ id }) => id).sort()).toEqual([top, left, right, bottom].map(({ id }) => id).sort());
  });

  it('cannot include the group itself', async () => {
    const ids = await createChain(4);
    for (const [parent, child] of [
      [0, 0],
      [1, 0],
      [3, 0],
      [2, 1],
    ] as const) {
      const response = await changeSubgroup('PUT', ids[parent]!, ids[child]!);
      expect([parent, child, response.status]).toEqual([parent, child, 409]);
      expect((response.body as unknown as { error: string }).error).toContain('itself');
    }
  });

  it('nest at most 32 levels deep, including the levels above and below a new subgroup', async () => {
    const upper = await createChain(20);
    const lower = await createChain(MAX_DEPTH - 20);
    const further = await create();
    expect((await changeSubgroup('PUT', upper.at(-1)!, lower[0]!)).status).toBe(200);
    expect((await changeSubgroup('PUT', lower.at(-1)!, further.id)).status).toBe(409);
    expect((await changeSubgroup('PUT', further.id, upper[0]!)).status).toBe(409);
    expect((await changeSubgroup('PUT', upper[5]!, further.id)).status).toBe(200);
    await changeUser('PUT', lower.at(-1)!, users[3]!);
    expect((await read(upper[0]!)).transitive_member_count).toBe(1);
  }, 60_000);

  it('cannot form a cycle through parallel writes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ids = await Promise.all(Array.from({ length: 4 }, async () => (await create()).id));
      const responses = await Promise.all(ids.map((id, at) => changeSubgroup('PUT', id, ids[(at + 1) % ids.length]!)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    }
  });

  it('cannot exceed the maximum depth through parallel writes', async () => {
    const [a, b, c] = await Promise.all([createChain(12), createChain(12), createChain(12)]);
    const responses = await Promise.all([
      changeSubgroup('PUT', a.at(-1)!, b[0]!),
      changeSubgroup('PUT', b.at(-1)!, c[0]!),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  }, 60_000);

  it('are counted correctly in every response to parallel writes', async () => {
    const { id } = await create();
    const responses = await Promise.all(users.map((member) => changeUser('PUT', id, member)));
    const counts = responses.map(({ body }) => body.transitive_member_count).sort((x, y) => x - y);
    expect(counts).toEqual(users.map((_, at) => at + 1));
    const removals = await Promise.all(users.slice(0, 10).map((member) => changeUser('DELETE', id, member)));
    expect(removals.every(({ status }) => status === 200)).toBe(true);
    expect((await read(id)).transitive_member_count).toBe(users.length - 10);
    const same = await Promise.all(Array.from({ length: 10 }, () => changeUser('DELETE', id, users[20]!)));
    expect(same.filter(({ status }) => status === 200)).toHaveLength(1);
  }, 60_000);

  it('leave no rows if their group is deleted while they are added', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await create();
      const responses = await Promise.all([
        ...users.slice(0, 5).map((member) => changeUser('PUT', id, member)),
        call('DELETE /v1/groups/{id}', { path: { id } }),
        ...users.slice(5, 10).map((member) => changeUser('PUT', id, member)),
      ]);
      expect(responses.every(({ status }) => [200, 204, 404].includes(status))).toBe(true);
      expect(await manager.sql('SELECT 1 FROM group_users WHERE group_id = $1', [id])).toEqual([]);
    }
  });

  it('are paged in two lists with separate cursors in both directions, with filters and search', async () => {
    const top = await create();
    for (let n = 0; n < 7; n += 1) await changeSubgroup('PUT', top.id, (await create(`Child ${n}`)).id);
    const inner = (await listMembers(top.id)).direct_child_groups[0]!;
    for (const member of users.slice(0, 11)) await changeUser('PUT', inner.id, member);

    const first = await listMembers(top.id, { limit: 4 });
    expect(first.direct_child_groups.map(({ display_name }) => display_name)).toEqual(
      [0, 1, 2, 3].map((n) => `Child ${n}`),
    );
    expect(first.transitive_users.map(({ id }) => id)).toEqual(users.slice(0, 4));
    const next = await listMembers(top.id, { limit: 4, users_cursor: first.next_users_cursor ?? '' });
    expect(next.transitive_users.map(({ id }) => id)).toEqual(users.slice(4, 8));
    expect(next.direct_child_groups).toEqual(first.direct_child_groups);
    const both = await listMembers(top.id, {
      limit: 4,
      users_before: next.prev_users_cursor ?? '',
      groups_cursor: first.next_groups_cursor ?? '',
    });
    expect(both.transitive_users).toEqual(first.transitive_users);
    expect(both).not.toHaveProperty('prev_users_cursor');
    expect(both.direct_child_groups.map(({ display_name }) => display_name)).toEqual(
      [4, 5, 6].map((n) => `Child ${n}`),
    );
    const back = await listMembers(top.id, { limit: 4, groups_before: both.prev_groups_cursor ?? '' });
    expect(back.direct_child_groups).toEqual(first.direct_child_groups);

    await manager.sql("UPDATE users SET active = FALSE WHERE subject = 'member-2'");
    expect((await listMembers(top.id, { active: false })).transitive_users.map(({ id }) => id)).toEqual([users[2]]);
    expect((await listMembers(top.id, { active: true })).transitive_users).toHaveLength(10);
    expect((await listMembers(top.id, { active: false })).direct_child_groups).toHaveLength(7);
    await manager.sql("UPDATE users SET active = TRUE WHERE subject = 'member-2'");
    const found = await listMembers(top.id, { search: 'MEMBER.1' });
    expect(found.transitive_users.map(({ user_name }) => user_name)).toEqual(['member.1', 'member.10']);
    expect(found.direct_child_groups).toEqual([]);
    expect((await listMembers(top.id, { search: 'child 3' })).direct_child_groups).toHaveLength(1);

    for (const [query, name] of [
      [{ users_cursor: first.next_users_cursor, users_before: first.next_users_cursor }, 'users_before'],
      [{ groups_cursor: first.next_groups_cursor, groups_before: first.next_groups_cursor }, 'groups_before'],
      [{ groups_cursor: first.next_users_cursor }, 'groups_cursor'],
      [{ users_cursor: first.next_users_cursor, search: 'member' }, 'users_cursor'],
      [{ active: 'maybe' }, 'active'],
    ] as const) {
      const response = await call<{ error: string }>('GET /v1/groups/{id}/members', { path: { id: top.id }, query });
      expect([response.status, response.body.error]).toEqual([400, expect.stringContaining(name)]);
    }
    const elsewhere = await call('GET /v1/groups/{id}/members', {
      path: { id: inner.id },
      query: { users_cursor: first.next_users_cursor },
    });
    expect(elsewhere.status).toBe(400);
  }, 60_000);

  it('are limited to 1,000 direct members in the response for one group', async () => {
    const { id } = await create();
    await manager.sql(
      `WITH people AS (
         INSERT INTO users SELECT gen_random_uuid(), 'bulk', n::text, n::text, n::text, NULL, NULL, 'Bulk ' || n, NULL, 'scim', TRUE, '', now(), now()
         FROM generate_series(1, 1005) AS n RETURNING id)
       INSERT INTO group_users SELECT $1, id, now() FROM people`,
      [id],
    );
    await changeSubgroup('PUT', id, (await create()).id);
    const group = await read(id);
    expect(group.members).toHaveLength(1_000);
    expect(group.members?.filter(({ type }) => type === 'Group')).toHaveLength(1);
    expect(group.transitive_member_count).toBe(1_005);
  });

  it('behave like sets under random sequences of writes', async () => {
    const step = fc.record({
      what: fc.constantFrom('add user', 'add group', 'add group', 'remove user', 'remove group'),
      group: fc.nat({ max: 5 }),
      other: fc.nat({ max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
        const ids = await Promise.all(Array.from({ length: 6 }, async () => (await create()).id));
        const people = ids.map(() => new Set<number>());
        const children = ids.map(() => new Set<number>());
        const listDescendants = (group: number): Set<number> =>
          new Set([group, ...[...children[group]!].flatMap((child) => [...listDescendants(child)])]);
        const listUsersIn = (group: number) => new Set([...listDescendants(group)].flatMap((one) => [...people[one]!]));
        for (const { what, group, other } of steps) {
          const [verb, kind] = what.split(' ') as ['add' | 'remove', 'user' | 'group'];
          const held = (kind === 'user' ? people : children)[group]!;
          const isCycle = kind === 'group' && verb === 'add' && listDescendants(other).has(group);
          const expected = isCycle ? 409 : verb === 'remove' && !held.has(other) ? 404 : 200;
          const write = kind === 'user' ? changeUser : changeSubgroup;
          const target = kind === 'user' ? users[other]! : ids[other]!;
          const response = await write(verb === 'add' ? 'PUT' : 'DELETE', ids[group]!, target);
          expect([what, response.status]).toEqual([what, expected]);
          if (expected === 200) held[verb === 'add' ? 'add' : 'delete'](other);
          if (expected === 200) expect(response.body.transitive_member_count).toBe(listUsersIn(group).size);
        }
        for (const [at, id] of ids.entries()) {
          const page = await listMembers(id, { limit: 200 });
          expect(page.transitive_users.map((one) => users.indexOf(one.id)).sort()).toEqual([...listUsersIn(at)].sort());
          expect(page.direct_child_groups.map((one) => ids.indexOf(one.id)).sort()).toEqual([...children[at]!].sort());
        }
        for (const id of ids) await call('DELETE /v1/groups/{id}', { path: { id } });
      }),
      { numRuns: 15 * effort },
    );
  }, 120_000);
});
