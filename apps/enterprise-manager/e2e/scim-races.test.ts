import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import {
  makeScimToken,
  createGroupBody,
  createUserBody,
  patch,
  type Resource,
  type ScimClient,
  createScimClient,
} from './scim-scene.ts';

describe('parallel writes of provisioning clients', () => {
  let manager: TestManager;
  let scim: ScimClient;
  beforeAll(async () => {
    manager = await startManager();
    scim = createScimClient(manager, (await makeScimToken(manager)).secret);
  }, 60_000);
  afterAll(() => manager.close());

  const createSeveral = async (count: number, type: 'Users' | 'Groups') =>
    Promise.all(
      Array.from(
        { length: count },
        async () => (await scim('POST', `/${type}`, type === 'Users' ? createUserBody() : createGroupBody())).body,
      ),
    );
  const listValues = (members: readonly Resource[]) => members.map(({ id }) => ({ value: id }));
  const createAddition = (...members: Resource[]) => patch({ op: 'add', path: 'members', value: listValues(members) });
  const listMembers = async (id: string) =>
    ((await scim('GET', `/Groups/${id}`)).body.members ?? []).map(({ value }) => value).toSorted();

  it('leave the members that the audit events describe, with one version for each change', async () => {
    const people = await createSeveral(12, 'Users');
    const [group] = await createSeveral(1, 'Groups');
    if (!group) throw new Error('there is a group');
    const path = `/Groups/${group.id}`;
    const pickUsers = (from: number) =>
      [0, 3, 5].map((step) => people[(from + step) % people.length]).filter((one) => one !== undefined);
    const responses = await Promise.all(
      Array.from({ length: 48 }, (_, index) => {
        const chosen = pickUsers(index);
        const body = { ...createGroupBody({ members: listValues(chosen) }), displayName: group.displayName };
        if (index % 4 === 0) return scim('PUT', path, body);
        if (index % 4 === 1)
          return scim('PATCH', path, patch({ op: 'replace', path: 'members', value: listValues(chosen) }));
        if (index % 4 === 2)
          return scim('PATCH', path, patch({ op: 'remove', path: `members[value eq "${chosen[0]?.id}"]` }));
        return scim('PATCH', path, createAddition(...chosen));
      }),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 204]));
    const rows = await manager.sql<{ changed_fields: string[] }>(
      `SELECT changed_fields FROM audit_events WHERE object_id = $1 AND operation <> 'SCIM: create group' ORDER BY id`,
      [group.id],
    );
    const net = new Map<string, number>();
    for (const field of rows.flatMap(({ changed_fields }) => changed_fields)) {
      const [verb, id = ''] = [field.split(' ')[0], field.split('/')[1]];
      net.set(id, (net.get(id) ?? 0) + (verb === 'added' ? 1 : -1));
    }
    // The sum for each user is 1 (member) or 0 (not a member).
    expect([...net.values()].filter((times) => times !== 0 && times !== 1)).toEqual([]);
    const expectedMembers = [...net].filter(([, times]) => times === 1).map(([id]) => id);
    expect(await listMembers(group.id)).toEqual(expectedMembers.toSorted());
    const [stored] = await manager.sql<{ version: number }>('SELECT version FROM groups WHERE id = $1', [group.id]);
    expect(stored?.version).toBe(1 + rows.length);
  }, 60_000);

  it('change the ETag of a group if a new member is deleted at the same moment', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const [[person], [group]] = await Promise.all([createSeveral(1, 'Users'), createSeveral(1, 'Groups')]);
        if (!person || !group) throw new Error('there are both');
        const [added, deleted] = await Promise.all([
          scim('PATCH', `/Groups/${group.id}`, createAddition(person)),
          scim('DELETE', `/Users/${person.id}`),
        ]);
        const tag = added.headers.get('etag') ?? '';
        const fields = await manager.sql<{ changed_fields: string[] }>(
          `SELECT changed_fields FROM audit_events WHERE object_id = $1 AND operation = 'SCIM: patch group'`,
          [group.id],
        );
        const read = await scim('GET', `/Groups/${group.id}`, undefined, { 'if-none-match': tag });
        return { added: added.status, deleted: deleted.status, came: fields.length === 1, read: read.status };
      }),
    );
    for (const { added, deleted, came, read } of outcomes)
      expect({ added, deleted, read }).toEqual({ added: 204, deleted: 204, read: came ? 200 : 304 });
  }, 60_000);

  it('add all members or none to a group that is deleted, and leave no rows', async () => {
    const people = await createSeveral(4, 'Users');
    const groups = await createSeveral(8, 'Groups');
    const responses = await Promise.all(
      groups.flatMap(({ id }) => [
        ...people.map((person) => scim('PATCH', `/Groups/${id}`, createAddition(person))),
        scim('DELETE', `/Groups/${id}`),
        scim('PUT', `/Groups/${id}`, createGroupBody({ members: listValues(people) })),
      ]),
    );
    expect(responses.map(({ status }) => status).filter((status) => ![200, 204, 404].includes(status))).toEqual([]);
    for (const { id } of groups) expect((await scim('GET', `/Groups/${id}`)).status).toBe(404);
    const rows = await manager.sql('SELECT 1 FROM group_users WHERE group_id = ANY($1)', [groups.map(({ id }) => id)]);
    expect(rows).toEqual([]);
  }, 60_000);

  it('cannot form a cycle of groups', async () => {
    const ring = await createSeveral(6, 'Groups');
    const responses = await Promise.all(
      ring.map(({ id }, at) =>
        scim('PATCH', `/Groups/${id}`, createAddition(ring[(at + 1) % ring.length] as Resource)),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 204, 204, 204, 204, 409]);
  }, 60_000);

  it('assign a new user name to only one of several users', async () => {
    const { userName } = createUserBody();
    const people = await createSeveral(6, 'Users');
    const rename = patch({ op: 'replace', path: 'userName', value: userName });
    const responses = await Promise.all(people.map(({ id }) => scim('PATCH', `/Users/${id}`, rename)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(5).fill(409)]);
  }, 60_000);

  it('create a user or group with the same name once', async () => {
    const [user, group] = [createUserBody(), createGroupBody()];
    for (const [path, body] of [
      ['/Users', user],
      ['/Groups', group],
    ] as const) {
      const responses = await Promise.all(Array.from({ length: 8 }, () => scim('POST', path, body)));
      expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
    }
  }, 60_000);
});
