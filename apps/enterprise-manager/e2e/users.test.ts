import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PEOPLE, startManager, type TestManager } from './enterprise-manager.ts';

interface User {
  id: string;
  user_name: string;
  display_name: string;
  email?: string;
  source: string;
  active: boolean;
}
interface Page {
  items: User[];
  next_cursor?: string;
  prev_cursor?: string;
}

const crowd = Array.from({ length: 23 }, (_, n) => ({
  subject: `crowd-${n}`,
  user_name: `crowd.${n}`,
  email: `crowd-${n}@example.test`,
  display_name: `Crowd 100%_${n}`,
}));

describe('users of the directory', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ people: [...PEOPLE, ...crowd] });
  }, 60_000);
  afterAll(() => manager.close());

  const list = async (query: Record<string, string | number | boolean> = {}, token = manager.tokens.admin) =>
    manager.client.call<Page>('GET /v1/users', { token, query });
  const listNames = async (query: Record<string, string | number | boolean>) =>
    (await list(query)).body.items.map(({ user_name }) => user_name);

  it('are read by id in lower and upper case', async () => {
    const id = await manager.findUserId('alice');
    const { body } = await manager.client.call<User>('GET /v1/users/{id}', {
      token: manager.tokens.auditor,
      path: { id: id.toUpperCase() },
    });
    expect(body).toMatchObject({
      id,
      user_name: 'alice',
      email: 'alice@example.test',
      display_name: 'Alice Ångström',
      source: 'config',
      active: true,
    });
    expect(body).not.toHaveProperty('subject');
  });

  it('have the owner reference of budgets and charges as subject_id, and are found by it', async () => {
    const id = await manager.findUserId('alice');
    const { body } = await manager.client.call<User>('GET /v1/users/{id}', {
      token: manager.tokens.admin,
      path: { id },
    });
    expect(body).toMatchObject({ subject_id: 'alice' });
    expect(await listNames({ subject_id: 'alice' })).toEqual(['alice']);
    expect(await listNames({ subject_id: 'ALICE' })).toEqual([]);
    // The reference may include the issuer.
    expect(await listNames({ subject_id: 'local/alice' })).toEqual(['alice']);
    expect(await listNames({ subject_id: 'other/alice' })).toEqual([]);
    // A provisioned user has no subject before the first sign-in.
    const provisioned = randomUUID();
    await manager.sql(
      `INSERT INTO users (id, issuer, binding_key, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       VALUES ($1, $2, $3, $3, $3, $3, 'scim', TRUE, $3, now(), now())`,
      [provisioned, manager.issuer.issuer, `new-${provisioned}`],
    );
    const response = await manager.client.call<User>('GET /v1/users/{id}', {
      token: manager.tokens.admin,
      path: { id: provisioned },
    });
    expect([response.status, 'subject_id' in response.body]).toEqual([200, false]);
    await manager.sql('DELETE FROM users WHERE id = $1', [provisioned]);
  });

  it.each([
    ['garbage', 'garbage', 400],
    ['a NUL', 'a\u0000b', 400],
    ['10 kB', 'x'.repeat(10_000), 400],
    ['an unknown UUID', '11111111-1111-1111-1111-111111111111', 404],
  ])('answer an id that is %s with an error message', async (_, id, status) => {
    for (const operation of ['GET /v1/users/{id}', 'GET /v1/users/{id}/groups']) {
      const response = await manager.client.call<{ error: string }>(operation, {
        token: manager.tokens.admin,
        path: { id },
      });
      expect(response.status).toBe(status);
      expect(response.body.error).toMatch(status === 400 ? /id|path/ : /no such user/);
    }
  });

  it('are paged by cursor in both directions, each exactly once', async () => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    let last: Page;
    do {
      const { body } = await list({ limit: 10, ...(cursor !== undefined && { cursor }) });
      pages.push(body.items.map(({ id }) => id));
      last = body;
      cursor = body.next_cursor;
    } while (cursor !== undefined);
    const all = pages.flat();
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(new Set(all).size).toBe(PEOPLE.length + crowd.length);

    const back = await list({ limit: 10, before: last.prev_cursor ?? '' });
    expect(back.body.items.map(({ id }) => id)).toEqual(pages[1]);
    const first = await list({ limit: 200, before: back.body.prev_cursor ?? '' });
    expect(first.body.items.map(({ id }) => id)).toEqual(pages[0]);
    expect(first.body).not.toHaveProperty('prev_cursor');
  });

  it.each([
    [{ email: 'bob@example.TEST' }, ['bob']],
    [{ user_name: 'ALICE' }, ['alice']],
    [{ source: 'scim' }, []],
    [{ search: 'STRASSE' }, ['bob']],
    [{ search: 'angstro\u0308m' }, []],
    [{ search: 'A\u030angstro\u0308m' }, ['alice']],
    [{ search: '100%_7' }, ['crowd.7']],
    [{ search: '%', user_name: 'alice' }, []],
    [{ active: false }, []],
  ])('are filtered by %j', async (query, expected) => {
    expect(await listNames(query)).toEqual(expected);
  });

  it('are filtered by their active state', async () => {
    await manager.sql("UPDATE users SET active = FALSE WHERE subject = 'crowd-3'");
    expect(await listNames({ active: false })).toEqual(['crowd.3']);
    expect((await listNames({ active: true, limit: 200 })).length).toBe(PEOPLE.length + crowd.length - 1);
  });

  it('are paged with 50 by default and at most 200', async () => {
    expect((await list({ limit: 999_999 })).status).toBe(200);
    for (const limit of ['0', '-1', '1.5', 'ten', '']) {
      const response = await manager.client.call<{ error: string }>('GET /v1/users', {
        token: manager.tokens.admin,
        query: { limit },
      });
      expect([response.status, response.body.error]).toEqual([400, expect.stringContaining('limit')]);
    }
  });

  it('refuse forged cursors and cursors of another list, filter or caller', async () => {
    const { body } = await list({ limit: 2 });
    const cursor = body.next_cursor ?? '';
    const { tokens, client } = manager;
    const group = await client.call<{ id: string }>('POST /v1/groups', {
      token: tokens.admin,
      body: { display_name: 'Cursor thieves' },
    });
    const attempts = [
      list({ cursor, search: 'crowd' }),
      list({ cursor }, tokens.auditor),
      list({ cursor: `${cursor.slice(0, -2)}AA` }),
      list({ cursor: 'x' }),
      list({ cursor, before: cursor }),
      client.call('GET /v1/groups', { token: tokens.admin, query: { cursor } }),
      client.call('GET /v1/groups/{id}/members', {
        token: tokens.admin,
        path: { id: group.body.id },
        query: { users_cursor: cursor },
      }),
    ];
    for (const response of await Promise.all(attempts)) {
      expect(response.status).toBe(400);
      expect((response.body as { error: string }).error).toMatch(/cursor|before/);
    }
  });

  it('are visible only to administrators and auditors, and a refusal does not reveal whether an id exists', async () => {
    const { tokens, client } = manager;
    const id = await manager.findUserId('alice');
    for (const [token, status] of [
      [undefined, 401],
      [tokens.alice, 403],
      [tokens.gateway, 403],
      [tokens.auditor, 200],
      [tokens.admin, 200],
    ] as const) {
      const bearer = token === undefined ? {} : { token };
      expect((await client.call('GET /v1/users', bearer)).status).toBe(status);
      expect((await client.call('GET /v1/users/{id}', { ...bearer, path: { id } })).status).toBe(status);
      expect((await client.call('GET /v1/users/{id}/groups', { ...bearer, path: { id } })).status).toBe(status);
      const unknown = await client.call('GET /v1/users/{id}', { ...bearer, path: { id: 'no-uuid' } });
      expect(unknown.status).toBe(status === 200 ? 400 : status);
    }
  });
});
