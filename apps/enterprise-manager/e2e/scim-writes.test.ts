import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createService } from '@gatehouse/service-kit/start';
import { AppModule } from '../src/app.module.ts';
import { loadSettings } from '../src/config/config.ts';
import { openDatabase } from '../src/open-database.ts';
import { handling, service } from '../src/openapi.ts';
import { createEnvironment, startManager, type TestManager } from './enterprise-manager.ts';
import {
  type List,
  makeScimToken,
  createGroupBody,
  createUserBody,
  patch,
  type Resource,
  type ScimClient,
  createScimClient,
  type ScimFailureBody,
} from './scim-scene.ts';

describe('SCIM writes', () => {
  let manager: TestManager;
  let scim: ScimClient;
  beforeAll(async () => {
    manager = await startManager();
    scim = createScimClient(manager, (await makeScimToken(manager)).secret);
  }, 60_000);
  afterAll(() => manager.close());

  const createUser = async (more: object = {}) => (await scim('POST', '/Users', createUserBody(more))).body;
  const group = async (...members: Resource[]) =>
    (await scim('POST', '/Groups', createGroupBody({ members: members.map(({ id }) => ({ value: id })) }))).body;
  const listMembers = async (id: string) =>
    ((await scim('GET', `/Groups/${id}`)).body.members ?? []).map(({ value }) => value).toSorted();
  const createAddition = (...ids: string[]) =>
    patch({ op: 'Add', path: 'members', value: ids.map((value) => ({ value })) });
  const callAsAdmin = <Body = unknown>(operation: string, call: Parameters<TestManager['client']['call']>[1] = {}) =>
    manager.client.call<Body>(operation, { token: manager.tokens.admin, ...call });

  it('lose no member in parallel changes of one group', async () => {
    const { id } = await group();
    const people = await Promise.all(Array.from({ length: 40 }, () => createUser()));
    const adds = await Promise.all(people.map((person) => scim('PATCH', `/Groups/${id}`, createAddition(person.id))));
    expect(adds.map(({ status }) => status)).toEqual(Array(40).fill(204));
    expect(await listMembers(id)).toEqual(people.map((person) => person.id).toSorted());
    const [gone, kept] = [people.slice(0, 20), people.slice(20)];
    const fresh = await Promise.all(Array.from({ length: 20 }, () => createUser()));
    const mixed = await Promise.all([
      ...gone.map((person) =>
        scim('PATCH', `/Groups/${id}`, patch({ op: 'Remove', path: 'members', value: [{ value: person.id }] })),
      ),
      ...fresh.map((person) => scim('PATCH', `/Groups/${id}`, createAddition(person.id))),
    ]);
    expect(mixed.map(({ status }) => status)).toEqual(Array(40).fill(204));
    expect(await listMembers(id)).toEqual([...kept, ...fresh].map((person) => person.id).toSorted());
    const [row] = await manager.sql<{ version: number }>('SELECT version FROM groups WHERE id = $1', [id]);
    expect(row?.version).toBe(1 + 80);
  }, 60_000);

  it('end consistently for parallel deletes of users, changes of groups and replacements of members', async () => {
    const people = await Promise.all(Array.from({ length: 16 }, () => createUser()));
    const groups = await Promise.all(Array.from({ length: 4 }, () => group(...people)));
    const all = patch({ op: 'replace', path: 'members', value: people.map(({ id }) => ({ value: id })) });
    const responses = await Promise.all([
      ...people.slice(0, 8).map(({ id }) => scim('DELETE', `/Users/${id}`)),
      ...groups.flatMap(({ id }) => [scim('PATCH', `/Groups/${id}`, all), scim('PATCH', `/Groups/${id}`, all)]),
      ...groups.map(({ id }) => scim('PATCH', `/Groups/${id}`, patch({ op: 'remove', path: 'members' }))),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204]));
    for (const { id } of groups) {
      const last = await scim('PATCH', `/Groups/${id}`, all);
      expect(last.status).toBe(204);
      expect(await listMembers(id)).toEqual(
        people
          .slice(8)
          .map((person) => person.id)
          .toSorted(),
      );
    }
  }, 60_000);

  it('cannot form a cycle of groups, also in parallel, and nest at most 32 levels deep', async () => {
    const [one, two] = [await group(), await group()];
    const crossed = await Promise.all([
      scim('PATCH', `/Groups/${one.id}`, createAddition(two.id)),
      scim('PATCH', `/Groups/${two.id}`, createAddition(one.id)),
    ]);
    expect(crossed.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect((await scim('PATCH', `/Groups/${one.id}`, createAddition(one.id))).status).toBe(409);
    const itself = createGroupBody({ members: [{ value: one.id }] });
    expect((await scim('PUT', `/Groups/${one.id}`, itself)).status).toBe(409);
    let top = await group();
    for (let depth = 2; depth <= 32; depth += 1) top = await group(top);
    const tooDeep = await scim<ScimFailureBody>('POST', '/Groups', createGroupBody({ members: [{ value: top.id }] }));
    expect([tooDeep.status, tooDeep.body.detail]).toEqual([409, expect.stringContaining('32')]);
  }, 60_000);

  it('ignore unknown members and local groups', async () => {
    const known = await createUser();
    const local = await callAsAdmin<{ id: string }>('POST /v1/groups', {
      body: { display_name: `Local ${randomUUID()}` },
    });
    const { id } = await group();
    const strange = [randomUUID(), 'not an id', local.body.id];
    expect((await scim('PATCH', `/Groups/${id}`, createAddition(...strange, known.id))).status).toBe(204);
    expect(await listMembers(id)).toEqual([known.id]);
  });

  it('change no version, no time and no audit event if no value differs', async () => {
    const person = await createUser({ displayName: 'Same' });
    const same = await scim(
      'PATCH',
      `/Users/${person.id}`,
      patch({ op: 'replace', path: 'displayName', value: 'Same' }),
    );
    expect(same.body).toEqual(person);
    const held = await group(person);
    expect((await scim('PATCH', `/Groups/${held.id}`, createAddition(person.id))).headers.get('etag')).toBe(
      held.meta.version,
    );
    const rows = await manager.sql('SELECT 1 FROM audit_events WHERE object_id = ANY($1)', [[person.id, held.id]]);
    expect(rows).toHaveLength(2);
  });

  it('are rolled back as a whole if one operation is refused', async () => {
    const [inside, outside] = [await createUser(), await createUser()];
    const held = await group(inside);
    const cycle = patch(
      { op: 'replace', path: 'displayName', value: createGroupBody().displayName },
      { op: 'add', path: 'members', value: [{ value: outside.id }, { value: held.id }] },
    );
    expect((await scim('PATCH', `/Groups/${held.id}`, cycle)).status).toBe(409);
    expect((await scim('GET', `/Groups/${held.id}`)).body).toEqual(held);
  });

  it('change the versions of groups when a member user or subgroup is deleted', async () => {
    const person = await createUser();
    const child = await group(person);
    const parent = await group(child);
    await scim('DELETE', `/Users/${person.id}`);
    const after = (await scim('GET', `/Groups/${child.id}`)).body;
    expect(after.meta.version).not.toBe(child.meta.version);
    expect(after.members ?? []).toEqual([]);
    await scim('DELETE', `/Groups/${child.id}`);
    const top = await scim('GET', `/Groups/${parent.id}`, undefined, { 'if-none-match': parent.meta.version });
    expect([top.status, top.body.members ?? []]).toEqual([200, []]);
  });

  it('accept the current version as a weak or strong ETag and refuse other versions', async () => {
    const held = await group();
    const createRename = () => patch({ op: 'replace', path: 'displayName', value: createGroupBody().displayName });
    const path = `/Groups/${held.id}`;
    expect((await scim('PATCH', path, createRename(), { 'if-match': 'W/"99"' })).status).toBe(412);
    expect((await scim('DELETE', path, undefined, { 'if-match': 'W/"99"' })).status).toBe(412);
    expect((await scim('PUT', path, createGroupBody(), { 'if-match': 'W/"99"' })).status).toBe(412);
    expect((await scim('GET', path)).body).toEqual(held);
    const weak = await scim('PATCH', path, createRename(), { 'if-match': held.meta.version });
    const strong = (weak.headers.get('etag') ?? '').replace('W/', '');
    expect([weak.status, (await scim('PATCH', path, createRename(), { 'if-match': strong })).status]).toEqual([
      204, 204,
    ]);
    const races = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { meta } = (await scim('GET', path)).body;
        return (await scim('PATCH', path, createRename(), { 'if-match': meta.version })).status;
      }),
    );
    expect(races).toContain(204);
    expect(races.filter((status) => status !== 204 && status !== 412)).toEqual([]);
  });

  it('return the group from a PATCH if the request selects attributes', async () => {
    const held = await group(await createUser());
    const renamed = await scim(
      'PATCH',
      `/Groups/${held.id}?excludedAttributes=members`,
      patch({ op: 'replace', value: { displayName: `${held.displayName} again` } }),
    );
    expect([renamed.status, renamed.body.displayName]).toEqual([200, `${held.displayName} again`]);
    expect(renamed.body).not.toHaveProperty('members');
  });

  it('adopt users of the configuration and keep their attributes', async () => {
    const page = await scim<List>('GET', `/Users?filter=${encodeURIComponent('userName eq "BOB"')}`);
    const [bob] = page.body.Resources;
    expect(bob).toMatchObject({ displayName: 'Bob Straße', emails: [{ value: 'Bob@Example.test' }], active: true });
    expect((await scim<ScimFailureBody>('POST', '/Users', createUserBody({ userName: 'Bob' }))).body).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
    });
    const path = `/Users/${bob?.id}`;
    expect((await scim('PATCH', path, patch({ op: 'replace', path: 'title', value: 'Lead' }))).status).toBe(200);
    const { body } = await callAsAdmin<{ source: string; display_name: string; email: string }>('GET /v1/users/{id}', {
      path: { id: bob?.id ?? '' },
    });
    expect(body).toMatchObject({ source: 'scim', display_name: 'Bob Straße', email: 'Bob@Example.test' });
    expect((await callAsAdmin('GET /v1/me', { token: manager.tokens.bob })).body).toMatchObject({ id: bob?.id });
  });

  it('adopt a user with the same subject and another user name', async () => {
    const id = await manager.findUserId('alice');
    const { status, body } = await scim(
      'POST',
      '/Users',
      createUserBody({ externalId: 'alice', displayName: 'Alice' }),
    );
    expect([status, body.id]).toEqual([201, id]);
    const again = await scim<ScimFailureBody>('POST', '/Users', createUserBody({ externalId: 'alice' }));
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness']);
    expect((await callAsAdmin('GET /v1/me', { token: manager.tokens.alice })).body).toMatchObject({
      id,
      source: 'scim',
    });
  });

  it('bind a user of the configuration to another subject without a duplicate at the next start', async () => {
    const { Resources } = (await scim<List>('GET', `/Users?filter=${encodeURIComponent('userName eq "bob"')}`)).body;
    const path = `/Users/${Resources[0]?.id}`;
    const bound = await scim('PATCH', path, patch({ op: 'add', path: 'externalId', value: 'another-subject' }));
    expect(bound.status).toBe(200);
    const settings = loadSettings(createEnvironment(manager.issuer, manager.database));
    const module = AppModule.createForService(settings, await openDatabase(settings));
    await (await createService({ ...service, ...handling, settings, module })).close();
    const rows = await manager.sql(`SELECT subject, source FROM users WHERE user_name_key = 'bob'`);
    expect(rows).toEqual([{ subject: 'another-subject', source: 'scim' }]);
  }, 30_000);

  it('create groups whose attributes, users and subgroups administrators cannot change', async () => {
    const person = await createUser();
    const held = await group(person);
    const child = await group();
    const path = { id: held.id };
    expect((await callAsAdmin('PATCH /v1/groups/{id}', { path, body: { description: 'mine' } })).status).toBe(409);
    expect((await callAsAdmin('DELETE /v1/groups/{id}', { path })).status).toBe(409);
    const users = { group_id: held.id, user_id: person.id };
    expect((await callAsAdmin('PUT /v1/groups/{group_id}/users/{user_id}', { path: users })).status).toBe(409);
    expect((await callAsAdmin('DELETE /v1/groups/{group_id}/users/{user_id}', { path: users })).status).toBe(409);
    const nested = { group_id: held.id, child_id: child.id };
    expect((await callAsAdmin('PUT /v1/groups/{group_id}/subgroups/{child_id}', { path: nested })).status).toBe(409);
    expect((await scim('GET', `/Groups/${held.id}`)).body).toEqual(held);
  });

  it('keep local groups with provisioned users unchanged and return only provisioned groups', async () => {
    const person = await createUser();
    const local = await callAsAdmin<{ id: string }>('POST /v1/groups', {
      body: { display_name: `Local ${randomUUID()}` },
    });
    const path = { group_id: local.body.id, user_id: person.id };
    expect((await callAsAdmin('PUT /v1/groups/{group_id}/users/{user_id}', { path })).status).toBe(200);
    const child = await group(person);
    const parent = await group(child);
    await scim('PUT', `/Groups/${child.id}`, createGroupBody({ members: [{ value: person.id }] }));
    const { groups } = (await scim('GET', `/Users/${person.id}`)).body;
    expect(groups?.map(({ value, type }) => `${value} ${type}`).toSorted()).toEqual(
      [`${child.id} direct`, `${parent.id} indirect`].toSorted(),
    );
    expect((await scim('GET', `/Groups/${local.body.id}`)).status).toBe(404);
    const rows = await manager.sql('SELECT 1 FROM group_users WHERE group_id = $1', [local.body.id]);
    expect(rows).toHaveLength(1);
  });

  it('record added and removed members in the audit trail', async () => {
    const [stays, goes, comes] = [await createUser(), await createUser(), await createUser()];
    const held = await group(stays, goes);
    await scim(
      'PATCH',
      `/Groups/${held.id}`,
      patch({ op: 'replace', path: 'members', value: [stays, comes].map(({ id }) => ({ value: id })) }),
    );
    const rows = await manager.sql<{ changed_fields: string[] }>(
      `SELECT changed_fields FROM audit_events WHERE object_id = $1 AND operation = 'SCIM: patch group'`,
      [held.id],
    );
    expect(rows).toEqual([{ changed_fields: [`removed users/${goes.id}`, `added users/${comes.id}`] }]);
  });
});
