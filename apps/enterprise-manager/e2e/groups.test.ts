import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface Group {
  id: string;
  name: string;
  display_name: string;
  description: string;
  source: string;
  members?: { id: string; display: string; type: string }[];
  transitive_member_count: number;
  created_at: string;
  updated_at: string;
}
interface Page {
  items: Group[];
  next_cursor?: string;
  prev_cursor?: string;
}
interface Failure {
  error: string;
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('groups', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const call = <Body>(operation: string, options: Parameters<TestManager['client']['call']>[1] = {}) =>
    manager.client.call<Body>(operation, { token: manager.tokens.admin, ...options });
  const create = async (display_name: string, description?: string): Promise<Group> => {
    const response = await call<Group>('POST /v1/groups', {
      body: { display_name, ...(description !== undefined && { description }) },
    });
    expect(response.status).toBe(201);
    return response.body;
  };
  const read = (id: string) => call<Group>('GET /v1/groups/{id}', { path: { id } });
  const createScimGroup = async (display_name: string): Promise<Group> => {
    const group = await create(display_name);
    await manager.sql("UPDATE groups SET source = 'scim' WHERE id = $1", [group.id]);
    return group;
  };

  it('are created with a name derived from the display name and read back unchanged', async () => {
    const response = await call<Group>('POST /v1/groups', {
      body: { display_name: '  R&D Größe (2) ', description: 'Builds things\nin two lines' },
    });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      name: 'r-d-grösse-2',
      display_name: 'R&D Größe (2)',
      description: 'Builds things\nin two lines',
      source: 'local',
      transitive_member_count: 0,
    });
    expect(response.headers.get('location')).toBe(`/v1/groups/${response.body.id}`);
    expect((await read(response.body.id)).body).toEqual({ ...response.body, members: [] });
  });

  it.each([
    ['another case', 'PLATFORM ENGINEERING'],
    ['another Unicode form', 'Ｐlatform Engineering'],
    ['an invisible character', 'Platform\u200b Engineering'],
  ])('cannot have names that differ only by %s', async (_, display_name) => {
    await call('POST /v1/groups', { body: { display_name: 'Platform Engineering' } });
    const response = await call<Failure>('POST /v1/groups', { body: { display_name } });
    expect(response.status).toBe(409);
    expect(response.body.error).toContain('display_name');
  });

  it('have a suffix in their name if another group has the name', async () => {
    await call('POST /v1/groups', { body: { display_name: 'Data Science' } });
    const other = await create('data+science');
    expect(other.name).toBe('data-science-2');
    const renamed = await call<Group>('PATCH /v1/groups/{id}', {
      path: { id: other.id },
      body: { display_name: 'Data/Science' },
    });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'data-science-2']);
  });

  it('are created once by parallel requests with the same name', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => call('POST /v1/groups', { body: { display_name: 'Race' } })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  it.each([
    ['no name', {}, 'display_name'],
    ['a blank name', { display_name: ' \t ' }, 'display_name'],
    ['a name of invisible characters', { display_name: '\u200b\ufe0f' }, 'display_name'],
    ['a line break in the name', { display_name: 'a\nb' }, 'display_name'],
    ['an unpaired surrogate', { display_name: 'a\ud800b' }, 'display_name'],
    ['a long name', { display_name: 'x'.repeat(257) }, 'display_name'],
    ['a name that exceeds the limit after normalization', { display_name: '\ufdfa'.repeat(256) }, 'display_name'],
    ['a NUL character in the description', { display_name: 'ok', description: 'a\u0000' }, 'description'],
    ['an unknown field', { display_name: 'ok', owner: 'me' }, 'owner'],
    ['a field of the answer', { display_name: 'ok', source: 'scim' }, 'source'],
    ['null', { display_name: null }, 'display_name'],
  ])('refuse %s with the name of the field', async (_, body, field) => {
    const count = async () => (await manager.sql('SELECT count(*) FROM groups'))[0];
    const before = await count();
    const response = await call<Failure>('POST /v1/groups', { body });
    expect(response.status).toBe(400);
    expect(response.body.error).toContain(field);
    expect(await count()).toEqual(before);
  });

  it('are patched field by field, and a new display name changes the name', async () => {
    const group = await create('Patch me', 'old');
    const renamed = await call<Group>('PATCH /v1/groups/{id}', {
      path: { id: group.id },
      body: { display_name: 'Patched' },
    });
    expect(renamed.body).toMatchObject({ name: 'patched', display_name: 'Patched', description: 'old' });
    const described = await call<Group>('PATCH /v1/groups/{id}', { path: { id: group.id }, body: { description: '' } });
    expect(described.body).toMatchObject({ name: 'patched', description: '' });
    const taken = await call<Failure>('PATCH /v1/groups/{id}', {
      path: { id: (await create('Another')).id },
      body: { display_name: 'PATCHED' },
    });
    expect(taken.status).toBe(409);
    const own = await call('PATCH /v1/groups/{id}', { path: { id: group.id }, body: { display_name: 'PATCHED' } });
    expect(own.status).toBe(200);
  });

  it('answer 304 to a read with the current ETag and 412 to a write with an old ETag', async () => {
    const group = await create('Tagged');
    const path = { id: group.id };
    const etag = (await read(group.id)).headers.get('etag') ?? '';
    const same = await call('GET /v1/groups/{id}', { path, headers: { 'if-none-match': etag } });
    expect(same.status).toBe(304);

    const user = { group_id: group.id, user_id: await manager.findUserId('alice') };
    const fresh = { headers: { 'if-match': etag } };
    expect((await call('PUT /v1/groups/{group_id}/users/{user_id}', { path: user, ...fresh })).status).toBe(200);
    const stale = [
      call('PATCH /v1/groups/{id}', { path, body: { description: 'x' }, ...fresh }),
      call('DELETE /v1/groups/{id}', { path, ...fresh }),
      call('PUT /v1/groups/{group_id}/users/{user_id}', { path: user, ...fresh }),
      call('DELETE /v1/groups/{group_id}/users/{user_id}', { path: user, ...fresh }),
    ];
    for (const response of await Promise.all(stale)) expect(response.status).toBe(412);
    const malformed = await call<Failure>('PATCH /v1/groups/{id}', {
      path,
      body: { description: 'x' },
      headers: { 'if-match': 'bare' },
    });
    expect([malformed.status, malformed.body.error]).toEqual([400, expect.stringContaining('If-Match')]);
    const now = (await read(group.id)).headers.get('etag') ?? '';
    const current = { headers: { 'if-match': `"other", ${now}` } };
    expect((await call('PATCH /v1/groups/{id}', { path, body: { description: 'x' }, ...current })).status).toBe(200);
  });

  it('are deleted with their memberships but without their members', async () => {
    const parent = await create('Parent of the deleted');
    const group = await create('Deleted');
    const user_id = await manager.findUserId('bob');
    await call('PUT /v1/groups/{group_id}/users/{user_id}', { path: { group_id: group.id, user_id } });
    await call('PUT /v1/groups/{group_id}/subgroups/{child_id}', {
      path: { group_id: parent.id, child_id: group.id },
    });
    expect((await read(parent.id)).body.transitive_member_count).toBe(1);
    const gone = await call('DELETE /v1/groups/{id}', { path: { id: group.id } });
    expect([gone.status, gone.body]).toEqual([204, undefined]);
    expect((await read(group.id)).status).toBe(404);
    expect((await read(parent.id)).body).toMatchObject({ transitive_member_count: 0, members: [] });
    expect((await call('GET /v1/users/{id}', { path: { id: user_id } })).status).toBe(200);
    expect((await call('DELETE /v1/groups/{id}', { path: { id: group.id } })).status).toBe(404);
  });

  it('are read-only for administrators if SCIM provisions them', async () => {
    const group = await createScimGroup('Provisioned');
    const local = await create('Local beside it');
    const user_id = await manager.findUserId('alice');
    await manager.sql('INSERT INTO group_users VALUES ($1, $2, now())', [group.id, user_id]);
    await manager.sql('INSERT INTO group_subgroups VALUES ($1, $2, now())', [group.id, local.id]);
    const path = { id: group.id, group_id: group.id, user_id, child_id: local.id };
    for (const operation of [
      'PATCH /v1/groups/{id}',
      'DELETE /v1/groups/{id}',
      'PUT /v1/groups/{group_id}/users/{user_id}',
      'DELETE /v1/groups/{group_id}/users/{user_id}',
      'PUT /v1/groups/{group_id}/subgroups/{child_id}',
      'DELETE /v1/groups/{group_id}/subgroups/{child_id}',
    ]) {
      const body = operation.startsWith('PATCH') ? { body: { description: 'mine now' } } : {};
      const response = await call<Failure>(operation, { path, ...body });
      expect([operation, response.status]).toEqual([operation, 409]);
      expect(response.body.error).toContain('scim');
    }
    expect((await read(group.id)).body).toMatchObject({ source: 'scim', transitive_member_count: 1 });
    const into = await call('PUT /v1/groups/{group_id}/subgroups/{child_id}', {
      path: { group_id: (await create('Above the provisioned')).id, child_id: group.id },
    });
    expect(into.status).toBe(200);
  });

  it('are listed without members, with filters and pages in both directions, during inserts and deletes', async () => {
    const made: Group[] = [];
    for (let n = 0; n < 9; n += 1) made.push(await create(`Paged ${n}`));
    const list = async (query: Record<string, string | number>) =>
      (await call<Page>('GET /v1/groups', { query: { search: 'PAGED', ...query } })).body;
    const first = await list({ limit: 4 });
    expect(first.items.map(({ id }) => id)).toEqual(made.slice(0, 4).map(({ id }) => id));
    expect(first.items.some((group) => 'members' in group)).toBe(false);
    await call('DELETE /v1/groups/{id}', { path: { id: made[3]?.id ?? '' } });
    await call('DELETE /v1/groups/{id}', { path: { id: made[5]?.id ?? '' } });
    await create('Paged later');
    const second = await list({ limit: 4, cursor: first.next_cursor ?? '' });
    expect(second.items.map(({ display_name }) => display_name)).toEqual(['Paged 4', 'Paged 6', 'Paged 7', 'Paged 8']);
    const back = await list({ limit: 4, before: second.prev_cursor ?? '' });
    expect(back.items.map(({ display_name }) => display_name)).toEqual(['Paged 0', 'Paged 1', 'Paged 2']);
    const last = await list({ limit: 4, cursor: second.next_cursor ?? '' });
    expect(last.items.map(({ display_name }) => display_name)).toEqual(['Paged later']);
    expect(last).not.toHaveProperty('next_cursor');

    for (const [query, expected] of [
      [{ name: 'paged-4' }, 1],
      [{ display_name: 'pAGED 4' }, 1],
      [{ source: 'scim', search: 'paged' }, 0],
      [{ search: 'paged-4' }, 1],
    ] as const) {
      expect((await call<Page>('GET /v1/groups', { query })).body.items).toHaveLength(expected);
    }
  });

  it('can be written only by administrators, and a refused write changes nothing', async () => {
    const group = await create('Guarded');
    const path = { id: group.id, group_id: group.id, user_id: await manager.findUserId('alice'), child_id: UNKNOWN_ID };
    const { tokens, client } = manager;
    for (const operation of [
      'POST /v1/groups',
      'PATCH /v1/groups/{id}',
      'DELETE /v1/groups/{id}',
      'PUT /v1/groups/{group_id}/users/{user_id}',
      'DELETE /v1/groups/{group_id}/users/{user_id}',
      'PUT /v1/groups/{group_id}/subgroups/{child_id}',
      'DELETE /v1/groups/{group_id}/subgroups/{child_id}',
      'GET /v1/groups',
      'GET /v1/groups/{id}',
      'GET /v1/groups/{id}/members',
    ]) {
      const forbidden = operation.startsWith('GET')
        ? [tokens.alice, tokens.gateway]
        : [tokens.alice, tokens.gateway, tokens.auditor];
      for (const token of forbidden) expect((await client.call(operation, { token, path })).status).toBe(403);
      expect((await client.call(operation, { path })).status).toBe(401);
      if (operation.startsWith('GET'))
        expect((await client.call(operation, { path, token: tokens.auditor })).status).toBe(200);
    }
    expect((await read(group.id)).body).toEqual({ ...group, members: [] });
  });

  it.each([
    ['garbage', 'garbage', 400],
    ['4 kB', 'x'.repeat(4_000), 400],
    ['an unknown id', UNKNOWN_ID, 404],
  ])('answer %s in a path with an error message', async (_, id, status) => {
    const path = { id, group_id: id, user_id: id, child_id: id };
    for (const operation of [
      'GET /v1/groups/{id}',
      'PATCH /v1/groups/{id}',
      'DELETE /v1/groups/{id}',
      'GET /v1/groups/{id}/members',
      'PUT /v1/groups/{group_id}/users/{user_id}',
      'DELETE /v1/groups/{group_id}/users/{user_id}',
      'PUT /v1/groups/{group_id}/subgroups/{child_id}',
      'DELETE /v1/groups/{group_id}/subgroups/{child_id}',
    ]) {
      const body = operation.startsWith('PATCH') ? { body: {} } : {};
      const response = await call<Failure>(operation, { path, ...body });
      expect([operation, response.status]).toEqual([operation, status]);
      expect(response.body.error).not.toBe('');
    }
  });
});
