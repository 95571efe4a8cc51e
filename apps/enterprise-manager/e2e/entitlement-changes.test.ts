import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeUsers } from './admission-scene.ts';
import { makeAvailable, makeGroup, makeVisible } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';
import {
  createGroupBody,
  createScimClient,
  createUserBody,
  makeScimToken,
  patch,
  type ScimClient,
} from './scim-scene.ts';

const CHANGES = 'GET /gateway/v1/gateways/{gateway_id}/entitlement-changes';
const ENTITLEMENTS = 'GET /gateway/v1/gateways/{gateway_id}/entitlements/{user_id}';

interface Changes {
  version: number;
  users: { user_id: string; issuer: string; subject?: string }[];
  all: boolean;
  reset: boolean;
}

describe('GET /gateway/v1/gateways/{gateway_id}/entitlement-changes', () => {
  let manager: TestManager;
  let replica: Replica;
  let scim: ScimClient;
  let alice: string;
  let bob: string;
  beforeAll(async () => {
    manager = await startManager({ gateways: ['other'] });
    replica = await startReplica(manager);
    scim = createScimClient(manager, (await makeScimToken(manager)).secret);
    [alice, bob] = [await manager.findUserId('alice'), await manager.findUserId('bob')];
  }, 60_000);
  afterAll(async () => {
    await replica.kill();
    await manager.close();
  });

  const requestChanges = async (query: { after?: number; wait?: number } = {}, gateway_id = 'local') => {
    const { status, body } = await manager.client.call<Changes>(CHANGES, {
      token: manager.tokens.gateway,
      path: { gateway_id },
      query,
    });
    expect(status).toBe(200);
    return body;
  };
  const readVersion = async () => (await requestChanges()).version;
  const callAsAdmin = <Body = unknown>(operation: string, more: object = {}) =>
    manager.client.call<Body>(operation, { token: manager.tokens.admin, ...more });
  const toIds = ({ users }: Changes) => users.map(({ user_id }) => user_id).sort();
  /** The users that a write names, after a poll that waited for it. */
  const listNamed = async (write: () => Promise<unknown>, gateway_id = 'local') => {
    const after = await readVersion();
    // A wait that did not notice would end after its 20 s.
    const startedAt = performance.now();
    const waiting = requestChanges({ after, wait: 20 }, gateway_id);
    await write();
    const changes = await waiting;
    expect(changes).toMatchObject({ all: false, reset: false });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    return toIds(changes);
  };
  const changeMember = (method: 'PUT' | 'DELETE', group_id: string, user_id: string) =>
    callAsAdmin(`${method} /v1/groups/{group_id}/users/{user_id}`, { path: { group_id, user_id } });
  const changeSubgroup = (method: 'PUT' | 'DELETE', group_id: string, child_id: string) =>
    callAsAdmin(`${method} /v1/groups/{group_id}/subgroups/{child_id}`, { path: { group_id, child_id } });
  const changeAtGateway = (method: 'PUT' | 'DELETE', connector_id: string, gateway_id = 'local') =>
    manager.client.call(`${method} /gateway/v1/gateways/{gateway_id}/connections/{user_id}/{connector_id}`, {
      token: manager.tokens.gateway,
      path: { gateway_id, user_id: alice, connector_id },
      ...(method === 'PUT' && { body: { enabled: true } }),
    });

  describe('names the user', () => {
    it('of a connection that the user creates, changes and deletes', async () => {
      const connector_id = await makeVisible(manager, ['alice']);
      const own = (operation: string, more: object) =>
        manager.client.call<{ id: string }>(operation, { token: manager.tokens.alice, ...more });
      let id = '';
      expect(
        await listNamed(async () => {
          ({ id } = (await own('POST /v1/me/connections', { body: { gateway_id: 'local', connector_id } })).body);
        }),
      ).toEqual([alice]);
      const off = { path: { id }, body: { enabled: false } };
      expect(await listNamed(() => own('PUT /v1/me/connections/{id}/enabled', off))).toEqual([alice]);
      const narrowed = { path: { id }, body: { tools_enabled_by_default: true, tools_exception_list: ['read'] } };
      expect(await listNamed(() => own('PUT /v1/me/connections/{id}/tool-policy', narrowed))).toEqual([alice]);
      expect(await listNamed(() => own('DELETE /v1/me/connections/{id}', { path: { id } }))).toEqual([alice]);
    });

    it('of a connection that a gateway sets and clears, at this gateway only', async () => {
      const { id } = await makeAvailable(manager);
      const elsewhere = await requestChanges({}, 'other');
      expect(await listNamed(() => changeAtGateway('PUT', id))).toEqual([alice]);
      expect(await listNamed(() => changeAtGateway('DELETE', id))).toEqual([alice]);
      expect(toIds(await requestChanges({ after: elsewhere.version, wait: 0 }, 'other'))).toEqual([]);
      const remote = await makeAvailable(manager, {}, 'other');
      expect(await listNamed(() => changeAtGateway('PUT', remote.id, 'other'), 'other')).toEqual([alice]);
    });

    it('of a connection to a connector that is deleted', async () => {
      const { id } = await makeAvailable(manager);
      await changeAtGateway('PUT', id);
      const path = { gateway_id: 'local', id };
      expect(await listNamed(() => callAsAdmin('DELETE /v1/gateways/{gateway_id}/connectors/{id}', { path }))).toEqual([
        alice,
      ]);
    });

    it('of a membership that is added and removed, directly and through a subgroup', async () => {
      const [top, middle, bottom] = [await makeGroup(manager), await makeGroup(manager), await makeGroup(manager)];
      expect(await listNamed(() => changeMember('PUT', bottom, alice))).toEqual([alice]);
      await changeMember('PUT', middle, bob);
      expect(await listNamed(() => changeSubgroup('PUT', middle, bottom))).toEqual([alice]);
      expect(await listNamed(() => changeSubgroup('PUT', top, middle))).toEqual([alice, bob].sort());
      expect(await listNamed(() => changeSubgroup('DELETE', middle, bottom))).toEqual([alice]);
      expect(await listNamed(() => changeMember('DELETE', bottom, alice))).toEqual([alice]);
    });

    it('of a group that is deleted, also through a subgroup', async () => {
      const [top, middle, bottom] = [
        await makeGroup(manager),
        await makeGroup(manager, 'bob'),
        await makeGroup(manager, 'alice'),
      ];
      await changeSubgroup('PUT', top, middle);
      await changeSubgroup('PUT', middle, bottom);
      const remove = (id: string) => callAsAdmin('DELETE /v1/groups/{id}', { path: { id } });
      expect(await listNamed(() => remove(middle))).toEqual([alice, bob].sort());
      expect(await listNamed(() => remove(bottom))).toEqual([alice]);
    });

    it('that SCIM creates, deactivates, renames and deletes', async () => {
      let id = '';
      const named = await listNamed(async () => {
        ({ id } = (await scim('POST', '/Users', createUserBody())).body);
      });
      expect(named).toEqual([id]);
      const set = (value: boolean) => scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value }));
      expect(await listNamed(() => set(false))).toEqual([id]);
      expect(await listNamed(() => set(true))).toEqual([id]);
      expect(await listNamed(() => scim('DELETE', `/Users/${id}`))).toEqual([id]);
    });

    it('of a membership that SCIM changes, also in a nested group', async () => {
      const inner = (await scim('POST', '/Groups', createGroupBody({ members: [{ value: bob }] }))).body.id;
      let outer = '';
      expect(
        await listNamed(async () => {
          outer = (await scim('POST', '/Groups', createGroupBody({ members: [{ value: inner }] }))).body.id;
        }),
      ).toEqual([bob]);
      const change = (op: string, more: object) => scim('PATCH', `/Groups/${outer}`, patch({ op, ...more }));
      expect(await listNamed(() => change('add', { path: 'members', value: [{ value: alice }] }))).toEqual([alice]);
      expect(await listNamed(() => change('remove', { path: `members[value eq "${inner}"]` }))).toEqual([bob]);
      expect(await listNamed(() => scim('DELETE', `/Groups/${outer}`))).toEqual([alice]);
    });

    it('with the old and the new identity', async () => {
      const [subject = ''] = await makeUsers(manager, 1);
      const after = await readVersion();
      await manager.sql('UPDATE users SET subject = $2 WHERE subject = $1', [subject, `${subject}-new`]);
      const { users } = await requestChanges({ after, wait: 0 });
      expect(users.map((user) => user.subject).sort()).toEqual([subject, `${subject}-new`]);
      await manager.sql('DELETE FROM users WHERE subject = $1', [`${subject}-new`]);
      expect((await requestChanges({ after, wait: 0 })).users).toContainEqual({
        user_id: users[0]?.user_id,
        issuer: manager.issuer.issuer,
        subject: `${subject}-new`,
      });
    });
  });

  it('names no user whose entitlements stay the same', async () => {
    const after = await readVersion();
    await manager.sql(`UPDATE users SET display_name = 'Other', version = version + 1 WHERE subject = 'alice'`);
    const { id } = await makeAvailable(manager);
    await callAsAdmin('POST /v1/groups', { body: { display_name: `Group ${randomUUID()}` } });
    expect(await requestChanges({ after, wait: 0 })).toMatchObject({ users: [], all: false });
    expect(id).toBeDefined();
  });

  it('names up to 1,000 users of one write, and says all for more', async () => {
    const group = await makeGroup(manager);
    const subjects = await makeUsers(manager, 1_001);
    const add = (from: number, to: number) =>
      manager.sql(
        `INSERT INTO group_users (group_id, user_id, created_at) SELECT $1, id, now() FROM users WHERE subject = ANY ($2)`,
        [group, subjects.slice(from, to)],
      );
    let after = await readVersion();
    await add(0, 1_000);
    const named = await requestChanges({ after, wait: 0 });
    expect([named.users.length, named.all]).toEqual([1_000, false]);
    after = named.version;
    await changeSubgroup('PUT', await makeGroup(manager), group);
    expect((await requestChanges({ after, wait: 0 })).users.length).toBe(1_000);
    await add(1_000, 1_001);
    after = await readVersion();
    await changeSubgroup('PUT', await makeGroup(manager), group);
    expect(await requestChanges({ after, wait: 0 })).toMatchObject({ users: [], all: true, reset: false });
    after = await readVersion();
    await manager.sql('DELETE FROM users WHERE subject = ANY ($1)', [subjects]);
    expect(await requestChanges({ after, wait: 0 })).toMatchObject({ users: [], all: true, reset: false });
  });

  it('says all for a version whose changes are not stored any more', async () => {
    const after = await readVersion();
    await manager.sql('UPDATE key_revision SET revision = revision + 1999');
    await makeGroup(manager, 'alice');
    expect(await requestChanges({ after: after + 1, wait: 0 })).toMatchObject({ all: false });
    expect(await requestChanges({ after: after - 1, wait: 0 })).toMatchObject({ users: [], all: true, reset: false });
    const [row] = await manager.sql<{ old: string }>(
      'SELECT count(*) AS old FROM entitlement_changes WHERE version <= (SELECT revision - 2000 FROM key_revision)',
    );
    expect(Number(row?.old)).toBe(0);
  });

  it('says all and reset for a version of another database', async () => {
    const after = (await readVersion()) + 1_000_000;
    expect(await requestChanges({ after })).toMatchObject({ users: [], all: true, reset: true });
  });

  it('answers after the wait without a change, and at once without a version', async () => {
    const version = await readVersion();
    expect(await requestChanges({ after: version, wait: 1 })).toEqual({ version, users: [], all: false, reset: false });
  });

  it('is refused to gateways of other kinds and clients, and unknown for other ids', async () => {
    const request = (token: string, gateway_id: string) =>
      manager.client.call(CHANGES, { token, path: { gateway_id }, query: { wait: 0 } });
    expect((await request(manager.tokens.gateway, 'absent')).status).toBe(404);
    expect((await request(manager.tokens.gateway, 'local-ai')).status).toBe(403);
    expect((await request(manager.tokens.alice, 'local')).status).toBe(403);
    const other = await manager.issuer.token({ subject: 'gateway', roles: ['gateway'], clientId: 'other client' });
    expect((await request(other, 'local')).status).toBe(403);
  });

  it('answers a gateway that waits at another replica', async () => {
    const after = await readVersion();
    const waiting = replica.call({
      method: 'GET',
      path: `/gateway/v1/gateways/local/entitlement-changes?after=${after}&wait=20`,
      token: manager.tokens.gateway,
    });
    await sleep(100);
    await changeMember('PUT', await makeGroup(manager), bob);
    expect((await waiting).body).toMatchObject({ users: [{ user_id: bob, subject: 'bob' }], all: false });
  });

  describe('with concurrent transactions', () => {
    it('names a user who joins a group while the link above it is removed', async () => {
      const [top, bottom] = [await makeGroup(manager), await makeGroup(manager)];
      await changeSubgroup('PUT', top, bottom);
      const clients = [0, 1].map(() => new pg.Client({ connectionString: manager.database.url }));
      const [joining, unlinking] = clients as [pg.Client, pg.Client];
      await Promise.all(clients.map((client) => client.connect()));
      await joining.query('BEGIN');
      await unlinking.query('BEGIN');
      await joining.query('INSERT INTO group_users (group_id, user_id, created_at) VALUES ($1, $2, now())', [
        bottom,
        bob,
      ]);
      // This statement does not see the new member.
      await unlinking.query('DELETE FROM group_subgroups WHERE parent_id = $1', [top]);
      await joining.query('COMMIT');
      const after = await readVersion();
      await unlinking.query('COMMIT');
      expect(toIds(await requestChanges({ after, wait: 0 }))).toEqual([bob]);
      await Promise.all(clients.map((client) => client.end()));
    });
  });

  describe('with random writes', () => {
    const people = 6;
    const groups = 4;
    const index = (below: number) => fc.nat({ max: below - 1 });
    const statement = fc.oneof(
      fc.record({ kind: fc.constantFrom('join', 'leave'), a: index(groups), b: index(people) }),
      fc.record({ kind: fc.constantFrom('link', 'unlink'), a: index(groups), b: index(groups) }),
      fc.record({ kind: fc.constantFrom('enable', 'clear'), a: index(2), b: index(people) }),
      fc.record({ kind: fc.constantFrom('activate', 'rename', 'remove group'), a: index(groups), b: index(people) }),
    );

    it('names every user whose entitlements differ from the remembered ones', async () => {
      const subjects = await makeUsers(manager, people);
      const users = await Promise.all(subjects.map((subject) => manager.findUserId(subject)));
      const connectors = [(await makeAvailable(manager)).id, (await makeAvailable(manager)).id];
      const ids = await Promise.all(Array.from({ length: groups }, () => makeGroup(manager)));
      const readVersionOf = async (user_id: string) => {
        const { status, body } = await manager.client.call<{ version: string }>(ENTITLEMENTS, {
          token: manager.tokens.gateway,
          path: { gateway_id: 'local', user_id },
        });
        expect(status).toBe(200);
        return body.version;
      };
      const readVersions = async () => Promise.all(users.map(readVersionOf));
      const write = async (client: pg.Client, { kind, a, b }: { kind: string; a: number; b: number }) => {
        const [group, user] = [ids[a % groups], users[b % people]];
        const run = (text: string, values: unknown[]) => client.query(text, values);
        if (kind === 'join')
          await run('INSERT INTO group_users VALUES ($1, $2, now()) ON CONFLICT DO NOTHING', [group, user]);
        if (kind === 'leave') await run('DELETE FROM group_users WHERE group_id = $1 AND user_id = $2', [group, user]);
        // A link leads from a lower to a higher index, so that no cycle exists.
        if (kind === 'link' && a < b)
          await run('INSERT INTO group_subgroups VALUES ($1, $2, now()) ON CONFLICT DO NOTHING', [group, ids[b]]);
        if (kind === 'unlink')
          await run('DELETE FROM group_subgroups WHERE parent_id = $1 AND child_id = $2', [group, ids[b % groups]]);
        if (kind === 'enable')
          await run(
            `INSERT INTO connections AS c VALUES (gen_random_uuid(), $1, $2, TRUE, TRUE, '{}', now(), now())
             ON CONFLICT (user_id, connector_id) DO UPDATE SET enabled = NOT c.enabled`,
            [connectors[a], user],
          );
        if (kind === 'clear')
          await run('DELETE FROM connections WHERE connector_id = $1 AND user_id = $2', [connectors[a], user]);
        if (kind === 'activate') await run('UPDATE users SET active = NOT active WHERE id = $1', [user]);
        if (kind === 'rename') await run(`UPDATE users SET subject = subject || 'x' WHERE id = $1`, [user]);
        if (kind === 'remove group') {
          await run('DELETE FROM groups WHERE id = $1', [group]);
          await run(
            `INSERT INTO groups (id, name, display_name, display_name_key, description, source, search_key, created_at, updated_at)
             VALUES ($1, $1::text, $1::text, $1::text, '', 'local', '', now(), now())`,
            [group],
          );
        }
      };
      const clients = [0, 1].map(() => new pg.Client({ connectionString: manager.database.url }));
      await Promise.all(clients.map((client) => client.connect()));
      const transactions = fc.array(fc.array(statement, { minLength: 1, maxLength: 4 }), {
        minLength: 2,
        maxLength: 2,
      });
      let remembered = await readVersions();
      let after = await readVersion();
      await fc.assert(
        fc.asyncProperty(transactions, async (pair) => {
          await Promise.all(
            pair.map(async (statements, at) => {
              const client = clients[at]!;
              try {
                await client.query('BEGIN');
                for (const one of statements) await write(client, one);
                await client.query('COMMIT');
              } catch {
                // A deadlock between the rows of both transactions changes nothing.
                await client.query('ROLLBACK');
              }
            }),
          );
          const changes = await requestChanges({ after, wait: 0 });
          after = changes.version;
          const current = await readVersions();
          const named = new Set(toIds(changes));
          const missed = users.filter((user, at) => current[at] !== remembered[at] && !named.has(user));
          remembered = current;
          expect(missed).toEqual([]);
        }),
        { seed, numRuns: 60 * effort },
      );
      await Promise.all(clients.map((client) => client.end()));
    }, 120_000);
  });
});
