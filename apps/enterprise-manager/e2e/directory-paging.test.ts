import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';

/** A page of a list of the directory. */
interface Page {
  ids: string[];
  next?: string | undefined;
  previous?: string | undefined;
}
/** A list of the directory, and the functions that read it and add and remove its rows. */
interface List {
  read: (query: {
    limit?: number | string;
    cursor?: string;
    before?: string;
  }) => Promise<{ status: number; page: Page; error: string }>;
  add: () => Promise<string>;
  remove: (id: string) => Promise<unknown>;
  /** Ids in the order of the list, from the database. */
  listIds: () => Promise<string[]>;
  parameters: { cursor: string; before: string };
}
type ResponseBody = Record<string, unknown> & { error?: string };

const NAMES = ['users', 'groups', 'groups of a user', 'people of a group', 'subgroups of a group'] as const;

describe('lists of the directory', () => {
  let manager: TestManager;
  /** The users and groups that the lists depend on; the tests never remove them. */
  let scene: ReadonlySet<string>;
  const lists = {} as Record<(typeof NAMES)[number], List>;

  const addUser = async (): Promise<string> => {
    const [row] = await manager.sql<{ id: string }>(
      `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       VALUES (gen_random_uuid(), 'i', $1, $1, $1, $1, 'config', TRUE, $1, now(), now()) RETURNING id`,
      [randomUUID()],
    );
    return row?.id ?? '';
  };
  const callAsAdmin = <Body>(operation: string, options: object = {}) =>
    manager.client.call<Body>(operation, { token: manager.tokens.admin, ...options });
  const addGroup = async (): Promise<string> =>
    (await callAsAdmin<{ id: string }>('POST /v1/groups', { body: { display_name: `Group ${randomUUID()}` } })).body.id;
  const removeGroup = (id: string) => callAsAdmin('DELETE /v1/groups/{id}', { path: { id } });
  const removeUser = (id: string) => manager.sql('DELETE FROM users WHERE id = $1', [id]);
  const queryIds = async (query: string, params: unknown[] = []) =>
    (await manager.sql<{ id: string }>(`${query} ORDER BY created_at, id`, params)).map(({ id }) => id);

  const createList = (
    operation: string,
    path: Record<string, string>,
    field: string,
    prefix: string,
    rest: Pick<List, 'add' | 'remove' | 'listIds'>,
  ): List => {
    const parameters = { cursor: `${prefix}cursor`, before: `${prefix}before` };
    const getCursorName = (side: string) => (prefix === '' ? `${side}_cursor` : `${side}_${prefix}cursor`);
    return {
      ...rest,
      parameters,
      read: async ({ limit, cursor, before }) => {
        const query = {
          ...(limit !== undefined && { limit }),
          ...(cursor !== undefined && { [parameters.cursor]: cursor }),
          ...(before !== undefined && { [parameters.before]: before }),
        };
        const { status, body } = await callAsAdmin<ResponseBody>(operation, { path, query });
        const rows = (body[field] ?? []) as { id: string }[];
        const getCursor = (side: string) => body[getCursorName(side)] as string | undefined;
        const page = { ids: rows.map(({ id }) => id), next: getCursor('next'), previous: getCursor('prev') };
        return { status, page, error: body.error ?? '' };
      },
    };
  };

  beforeAll(async () => {
    manager = await startManager({ people: [] });
    const person = await addUser();
    const group = await addGroup();
    const inner = await addGroup();
    scene = new Set([person, group, inner]);
    const nest = 'PUT /v1/groups/{group_id}/subgroups/{child_id}';
    await callAsAdmin(nest, { path: { group_id: group, child_id: inner } });
    const put = (group_id: string, user_id: string) =>
      callAsAdmin('PUT /v1/groups/{group_id}/users/{user_id}', { path: { group_id, user_id } });
    lists.users = createList('GET /v1/users', {}, 'items', '', {
      add: addUser,
      remove: removeUser,
      listIds: () => queryIds('SELECT id FROM users'),
    });
    lists.groups = createList('GET /v1/groups', {}, 'items', '', {
      add: addGroup,
      remove: removeGroup,
      listIds: () => queryIds('SELECT id FROM groups'),
    });
    lists['groups of a user'] = createList('GET /v1/users/{id}/groups', { id: person }, 'items', '', {
      add: async () => {
        const id = await addGroup();
        await put(id, person);
        return id;
      },
      remove: removeGroup,
      listIds: () =>
        queryIds(
          'SELECT id, created_at FROM groups WHERE id IN (SELECT group_id FROM group_users WHERE user_id = $1)',
          [person],
        ),
    });
    // Every second user is a member through the subgroup only.
    let turn = 0;
    lists['people of a group'] = createList(
      'GET /v1/groups/{id}/members',
      { id: group },
      'transitive_users',
      'users_',
      {
        add: async () => {
          const id = await addUser();
          await put((turn += 1) % 2 === 0 ? inner : group, id);
          return id;
        },
        remove: removeUser,
        listIds: () =>
          queryIds(
            'SELECT id, created_at FROM users WHERE id IN (SELECT user_id FROM group_users WHERE group_id = ANY ($1))',
            [[group, inner]],
          ),
      },
    );
    lists['subgroups of a group'] = createList(
      'GET /v1/groups/{id}/members',
      { id: group },
      'direct_child_groups',
      'groups_',
      {
        add: async () => {
          const id = await addGroup();
          await callAsAdmin(nest, { path: { group_id: group, child_id: id } });
          return id;
        },
        remove: (child_id) =>
          callAsAdmin('DELETE /v1/groups/{group_id}/subgroups/{child_id}', { path: { group_id: group, child_id } }),
        listIds: () =>
          queryIds(
            'SELECT id, created_at FROM groups WHERE id IN (SELECT child_id FROM group_subgroups WHERE parent_id = $1)',
            [group],
          ),
      },
    );
  }, 60_000);
  afterAll(() => manager.close());

  describe.each(NAMES)('the list of %s', (name) => {
    /** Follows one direction to the last page; `between` runs after each page. */
    const walkPages = async (
      direction: 'next' | 'previous',
      first: Page,
      limit: number,
      between: (seen: string[]) => Promise<unknown>,
    ) => {
      const pages = [first.ids];
      let page = first;
      while (page[direction] !== undefined) {
        await between(pages.flat());
        const start = page[direction];
        const response = await lists[name].read({
          limit,
          ...(direction === 'next' ? { cursor: start } : { before: start }),
        });
        expect(response.status).toBe(200);
        page = response.page;
        pages[direction === 'next' ? 'push' : 'unshift'](page.ids);
      }
      return { ids: pages.flat(), last: page };
    };

    it('returns each remaining row exactly once and in order, forward and backward, during inserts and deletes', async () => {
      const { read, add, remove, listIds } = lists[name];
      for (let n = 0; n < 12; n += 1) await add();
      for (const limit of [1, 3, 5]) {
        const start = await listIds();
        const gone = new Set<string>();
        const removeRow = async (id: string | undefined) => {
          if (id === undefined || gone.has(id) || scene.has(id)) return;
          gone.add(id);
          await remove(id);
        };
        const came = new Set<string>();
        const changeRows = async (seen: string[]) => {
          // The row at the cursor, a row that was read before, and a row that follows later.
          await removeRow(start.find((id) => id === seen.at(-1)));
          if (seen.length % 2 === 0) await removeRow(start.findLast((id) => !seen.includes(id)));
          came.add(await add());
        };
        const first = (await read({ limit })).page;
        let disturbances = 0;
        const forward = await walkPages('next', first, limit, async (seen) => {
          if ((disturbances += 1) <= 4) await changeRows(seen);
        });
        expect(new Set(forward.ids).size).toBe(forward.ids.length);
        const stayed = (await listIds()).filter((id) => !came.has(id));
        expect(forward.ids.filter((id) => stayed.includes(id))).toEqual(stayed);
        expect(forward.ids.filter((id) => came.has(id)).length).toBeLessThanOrEqual(came.size);

        disturbances = 0;
        const since = new Set<string>();
        const back = await walkPages('previous', forward.last, limit, async () => {
          if ((disturbances += 1) <= 3) {
            const id = await add();
            since.add(id);
            await removeRow(start.find((one) => stayed.includes(one) && !gone.has(one) && !scene.has(one)));
          }
        });
        expect(new Set(back.ids).size).toBe(back.ids.length);
        const left = (await listIds()).filter((id) => !since.has(id) && forward.ids.includes(id));
        expect(back.ids.filter((id) => left.includes(id))).toEqual(left);
        expect(back.last).not.toHaveProperty('prev_cursor');
      }
    }, 120_000);

    it('returns to the previous page after all rows of the current page were removed', async () => {
      const { read, add, remove, listIds } = lists[name];
      while ((await listIds()).length < 4) await add();
      const first = (await read({ limit: 2 })).page;
      const rest = (await listIds()).slice(2);
      expect(rest.filter((id) => scene.has(id))).toEqual([]);
      for (const id of rest) await remove(id);
      const empty = (await read({ limit: 2, cursor: first.next ?? '' })).page;
      expect([empty.ids, empty.next]).toEqual([[], undefined]);
      expect((await read({ limit: 2, before: empty.previous ?? '' })).page.ids).toEqual(first.ids);
      const late = await add();
      expect((await read({ limit: 2, cursor: first.next ?? '' })).page.ids).toEqual([late]);
    });

    it.each([['0'], ['-1'], ['1.5'], ['ten'], [''], ['٣'], ['1e2'], ['0x10'], [' 5'], ['99999999999999999999']])(
      'refuses the limit %j unless it is a positive integer, and reduces a larger limit to the maximum',
      async (limit) => {
        const response = await lists[name].read({ limit });
        if (/^\d{3,}$/.test(limit)) expect(response.status).toBe(200);
        else expect([response.status, response.error]).toEqual([400, expect.stringContaining('limit')]);
      },
    );

    it('refuses forged cursors, two cursors at once, and cursors of another list', async () => {
      const { read, add, parameters } = lists[name];
      while ((await read({ limit: 1 })).page.next === undefined) await add();
      const own = (await read({ limit: 1 })).page.next ?? '';
      const forged = [
        'x',
        'null',
        own.slice(0, -1),
        `${own}A`,
        own.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        own.slice(4),
        'A'.repeat(2_048),
        Buffer.from('{"from":["2020-01-01",""]}').toString('base64url'),
        `${own}\u0000`,
      ];
      for (const cursor of forged) {
        for (const query of [{ cursor }, { before: cursor }]) {
          const response = await read(query);
          expect([cursor.slice(0, 50), response.status]).toEqual([cursor.slice(0, 50), 400]);
          expect(response.error).toContain('cursor' in query ? parameters.cursor : parameters.before);
        }
      }
      for (const other of NAMES.filter((one) => one !== name)) {
        while ((await lists[other].read({ limit: 1 })).page.next === undefined) await lists[other].add();
        const foreign = (await lists[other].read({ limit: 1 })).page.next ?? '';
        expect([other, (await read({ cursor: foreign })).status]).toEqual([other, 400]);
      }
      const both = await read({ cursor: own, before: own });
      expect([both.status, both.error]).toEqual([400, expect.stringContaining(parameters.before)]);
      expect((await read({ cursor: own })).status).toBe(200);
    });

    it('accepts a cursor only in its own direction and ignores an empty cursor', async () => {
      const { read, add, parameters } = lists[name];
      while ((await read({ limit: 1 })).page.next === undefined) await add();
      const first = (await read({ limit: 1 })).page;
      const back = (await read({ limit: 1, cursor: first.next ?? '' })).page.previous ?? '';
      expect((await read({ limit: 1, before: back })).page.ids).toEqual(first.ids);
      const wrong = await read({ limit: 1, cursor: back });
      expect([wrong.status, wrong.error]).toEqual([400, expect.stringContaining(`${parameters.cursor}: `)]);
      const other = await read({ limit: 1, before: first.next ?? '' });
      expect([other.status, other.error]).toEqual([400, expect.stringContaining(`${parameters.before}: `)]);
      for (const empty of [{ cursor: '' }, { before: '' }, { cursor: '', before: '' }])
        expect((await read({ limit: 1, ...empty })).page).toEqual(first);
    });
  });

  it('refuse a cursor of another caller', async () => {
    for (const [operation, path] of [
      ['GET /v1/users', {}],
      ['GET /v1/groups', {}],
    ] as const) {
      const { body } = await callAsAdmin<{ next_cursor: string }>(operation, { path, query: { limit: 1 } });
      const stolen = await manager.client.call<ResponseBody>(operation, {
        token: manager.tokens.auditor,
        query: { cursor: body.next_cursor },
      });
      expect([stolen.status, stolen.body.error]).toEqual([400, expect.stringContaining('cursor')]);
    }
  });

  it('count the members correctly at every moment of parallel writes to nested groups', async () => {
    const [top, left, right, bottom] = await Promise.all([addGroup(), addGroup(), addGroup(), addGroup()]);
    for (const [group_id, child_id] of [
      [top, left],
      [top, right],
      [left, bottom],
      [right, bottom],
    ])
      await callAsAdmin('PUT /v1/groups/{group_id}/subgroups/{child_id}', { path: { group_id, child_id } });
    const people = await Promise.all(Array.from({ length: 60 }, addUser));
    const count = async () =>
      (await callAsAdmin<{ transitive_member_count: number }>('GET /v1/groups/{id}', { path: { id: top } })).body
        .transitive_member_count;

    /**
     * Eight connections write the memberships. Meanwhile, readers compare each count with the
     * number of started and finished writes.
     */
    const runPhase = async (write: (user_id: string, at: number) => Promise<unknown>, sign: 1 | -1, from: number) => {
      let begun = 0;
      let done = 0;
      const queue = [...people.entries()];
      let writing = true;
      const readCounts = async () => {
        let reads = 0;
        while (writing) {
          const least = done;
          const seen = (await count()) - from;
          const most = begun;
          expect(sign * seen).toBeGreaterThanOrEqual(least);
          expect(sign * seen).toBeLessThanOrEqual(most);
          reads += 1;
        }
        return reads;
      };
      const reading = Promise.all([readCounts(), readCounts()]);
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            begun += 1;
            await write(next[1], next[0]);
            done += 1;
          }
        }),
      );
      writing = false;
      expect((await reading).every((reads) => reads > 0)).toBe(true);
      expect(await count()).toBe(from + sign * people.length);
    };
    const homes = [left, right, bottom];
    const getHome = (at: number) => homes[at % homes.length] ?? bottom;
    const changeMember = (method: 'PUT' | 'DELETE', group_id: string, user_id: string) =>
      callAsAdmin(`${method} /v1/groups/{group_id}/users/{user_id}`, { path: { group_id, user_id } });
    await runPhase((user, at) => changeMember('PUT', getHome(at), user), 1, 0);
    // A second membership of a user does not change the count, and neither does its removal.
    await Promise.all(people.map((user, at) => changeMember('PUT', getHome(at + 1), user)));
    expect(await count()).toBe(people.length);
    await Promise.all(people.map((user, at) => changeMember('DELETE', getHome(at), user)));
    expect(await count()).toBe(people.length);
    await runPhase((user, at) => changeMember('DELETE', getHome(at + 1), user), -1, people.length);
  }, 120_000);
});
