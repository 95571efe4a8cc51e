import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { startPostgresWire } from '@gatehouse/testing/postgres-wire';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, type ReplicaAnswer, startReplica } from './replica.ts';
import { makeSecret, makeUser, reveal } from './secret-scene.ts';

describe('two replicas at one database', () => {
  /** A third replica in this process, which prepares objects and reads the results. */
  let manager: TestManager;
  let replicas: [Replica, Replica];

  beforeAll(async () => {
    manager = await startManager();
    replicas = await Promise.all([startReplica(manager), startReplica(manager)]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  });

  const callAsAdmin = (at: number, method: string, path: string, body?: unknown): Promise<ReplicaAnswer> =>
    replicas[at % 2]!.call({ method, path, token: manager.tokens.admin, ...(body !== undefined && { body }) });
  const callAsAlice = (at: number, method: string, path: string, body?: unknown): Promise<ReplicaAnswer> =>
    replicas[at % 2]!.call({ method, path, token: manager.tokens.alice, ...(body !== undefined && { body }) });

  it('show every acknowledged change of a group on the other replica and lose no member', async () => {
    const group = await makeGroup(manager);
    const people = await Promise.all(['alice', 'bob'].map((subject) => manager.findUserId(subject)));
    const children = await Promise.all(Array.from({ length: 24 }, () => makeGroup(manager, 'bob')));
    await Promise.all(
      children.map(async (child, at) => {
        const added = await callAsAdmin(at, 'PUT', `/v1/groups/${group}/subgroups/${child}`);
        expect([added.status, added.body]).toEqual([200, expect.anything()]);
        const seen = await callAsAdmin(at + 1, 'GET', `/v1/groups/${group}`);
        const members = seen.body['members'] as { id: string }[];
        expect(members.map(({ id }) => id)).toContain(child);
      }),
    );
    await Promise.all(people.map((user, at) => callAsAdmin(at, 'PUT', `/v1/groups/${group}/users/${user}`)));
    await Promise.all(
      children.slice(0, 12).map(async (child, at) => {
        const gone = await callAsAdmin(at, 'DELETE', `/v1/groups/${group}/subgroups/${child}`);
        expect(gone.status).toBe(200);
        const seen = await callAsAdmin(at + 1, 'GET', `/v1/groups/${group}`);
        const members = seen.body['members'] as { id: string }[];
        expect(members.map(({ id }) => id)).not.toContain(child);
      }),
    );
    const [left, right] = await Promise.all([0, 1].map((at) => callAsAdmin(at, 'GET', `/v1/groups/${group}`)));
    expect(left!.body).toEqual(right!.body);
    expect(left!.headers.get('etag')).toBe(right!.headers.get('etag'));
    const ids = (left!.body['members'] as { id: string }[]).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([...people, ...children.slice(12)]));
    expect(left!.body['transitive_member_count']).toBe(2);
    const [counted] = await manager.sql<{ version: number }>('SELECT version FROM groups WHERE id = $1', [group]);
    expect(counted?.version).toBe(1 + children.length + people.length + 12);
  });

  it('never create a cycle of groups from concurrent requests', async () => {
    for (let round = 0; round < 6; round += 1) {
      const ring = await Promise.all(Array.from({ length: 4 }, () => makeGroup(manager)));
      const responses = await Promise.all(
        ring.map((parent, at) =>
          callAsAdmin(at, 'PUT', `/v1/groups/${parent}/subgroups/${ring[(at + 1) % ring.length]}`),
        ),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    }
    const cycles = await manager.sql(`
      WITH RECURSIVE path AS (
        SELECT parent_id AS start, child_id AS at, 1 AS steps FROM group_subgroups
        UNION ALL
        SELECT path.start, next.child_id, path.steps + 1 FROM path JOIN group_subgroups next ON next.parent_id = path.at WHERE path.steps < 40
      ) SELECT start FROM path WHERE start = at`);
    expect(cycles).toEqual([]);
  });

  it('accept one of several concurrent changes with the same ETag', async () => {
    const group = await makeGroup(manager);
    const { headers } = await callAsAdmin(0, 'GET', `/v1/groups/${group}`);
    const match = headers.get('etag') ?? '';
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        replicas[at % 2]!.call({
          ...{ method: 'PATCH', path: `/v1/groups/${group}`, token: manager.tokens.admin },
          headers: { 'if-match': match },
          body: { description: `by ${at}` },
        }),
      ),
    );
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 412)).toHaveLength(9);
    expect((await callAsAdmin(1, 'GET', `/v1/groups/${group}`)).body['description']).toBe(won[0]!.body['description']);
  });

  it('accept the newest two secrets of a key after concurrent rotations, and no older one', async () => {
    const made = await callAsAlice(0, 'POST', '/v1/keys', { name: 'raced' });
    const { id } = made.body['key'] as { id: string };
    const rotations = await Promise.all(
      Array.from({ length: 8 }, (_, at) => callAsAlice(at, 'POST', `/v1/keys/${id}/rotate`)),
    );
    expect(rotations.map(({ status }) => status)).toEqual(rotations.map(() => 200));
    const hashSecret = ({ body }: ReplicaAnswer) => createHash('sha256').update(String(body['secret'])).digest('hex');
    const [row] = await manager.sql<{ now: string; before: string }>(
      `SELECT encode(secret_hash, 'hex') AS now, encode(previous_hash, 'hex') AS before FROM virtual_keys WHERE id = $1`,
      [id],
    );
    const accepted: string[] = [];
    for (const response of [made, ...rotations]) {
      const statuses = await Promise.all(
        replicas.map(async (replica) => {
          const resolved = await replica.call({
            ...{ method: 'POST', path: '/gateway/v1/keys/resolve', token: manager.tokens.gateway },
            body: { secret_sha256: hashSecret(response) },
          });
          return resolved.status;
        }),
      );
      expect(statuses[0]).toBe(statuses[1]);
      if (statuses[0] === 200) accepted.push(hashSecret(response));
    }
    expect(accepted.sort()).toEqual([row?.now, row?.before].sort());
    expect(rotations.map(hashSecret)).toEqual(expect.arrayContaining([row?.now, row?.before]));
  });

  it('store every concurrent value of a secret as a version and reveal only complete values', async () => {
    const values = Array.from({ length: 16 }, (_, at) => `${at}:`.padEnd(8_192, String.fromCharCode(97 + at)));
    const { id } = await makeSecret(manager, 'the first');
    await makeUser(manager, id);
    const seen: string[] = [];
    const responses = await Promise.all(
      values.map(async (value, at) => {
        const written = await callAsAdmin(at, 'PUT', `/v1/managed-secrets/${id}`, { value });
        seen.push((await reveal(manager, id)).body.value);
        return written;
      }),
    );
    expect(responses.map(({ status }) => status)).toEqual(values.map(() => 200));
    const versions = responses.map(({ body }) => body['version'] as number).sort((a, b) => a - b);
    expect(versions).toEqual(values.map((_, at) => at + 2));
    for (const value of seen) expect(values.includes(value) || value === 'the first').toBe(true);
    const last = responses.findIndex(({ body }) => body['version'] === values.length + 1);
    const final = await reveal(manager, id);
    expect([final.body.version, final.body.value]).toEqual([values.length + 1, values[last]]);
  });
});

describe('two replicas at the first requests of a user', () => {
  let manager: TestManager;
  let replicas: [Replica, Replica];

  beforeAll(async () => {
    manager = await startManager();
    const { issuer } = manager.issuer;
    const ISSUERS = JSON.stringify([
      { id: 'local', issuer, binding: { claim: 'oid', attribute: 'externalId' }, just_in_time: true },
    ]);
    const start = () => startReplica(manager, { environment: { ISSUERS } });
    replicas = await Promise.all([start(), start()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  });

  const readProfiles = async (tokens: readonly string[]) =>
    Promise.all(
      tokens.map(async (token, at) => {
        const response = await replicas[at % 2]!.call({ method: 'GET', path: '/v1/me', token });
        expect(response.status).toBe(200);
        return response.body;
      }),
    );

  it('create one directory entry and one audit event', async () => {
    for (let round = 0; round < 10; round += 1) {
      const subject = randomUUID();
      const token = await manager.issuer.token({ subject, claims: { oid: `object of ${subject}` } });
      const seen = await readProfiles(Array.from({ length: 8 }, () => token));
      expect(new Set(seen.map(({ id }) => id)).size).toBe(1);
      expect(seen[0]).toMatchObject({ subject, active: true, source: 'sign_in' });
      expect(await manager.sql('SELECT 1 FROM users WHERE subject = $1', [subject])).toHaveLength(1);
      expect(await manager.sql('SELECT 1 FROM audit_events WHERE subject = $1', [subject])).toHaveLength(1);
    }
  });

  it('bind a provisioned entry to one of two users with the same binding', async () => {
    for (let round = 0; round < 10; round += 1) {
      const oid = randomUUID();
      const [entry] = await manager.sql<{ id: string }>(
        `INSERT INTO users (id, issuer, binding_key, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
         VALUES (gen_random_uuid(), $1, $2, $2, $2, $2, 'scim', TRUE, $2, now(), now()) RETURNING id`,
        [manager.issuer.issuer, oid],
      );
      const tokens = await Promise.all(
        ['first', 'second'].map((name) => manager.issuer.token({ subject: `${name} ${oid}`, claims: { oid } })),
      );
      const seen = await readProfiles([...tokens, ...tokens.toReversed()]);
      const bound = seen.filter(({ id }) => id === entry?.id);
      expect(new Set(bound.map(({ subject }) => subject)).size).toBe(1);
      expect(bound).toHaveLength(2);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(2);
    }
  });
});

describe('replicas that start with an empty database', () => {
  let manager: TestManager;
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    manager = await startManager();
  });
  afterAll(async () => {
    await manager.close();
    await Promise.all(databases.map((database) => database.drop()));
  });

  const createEmptyDatabase = async (): Promise<TestDatabase> => {
    const database = await createDatabase({ name: `empty ${randomUUID().slice(0, 8)}` });
    databases.push(database);
    return database;
  };
  const createOptions = (database: TestDatabase) => ({ issuer: manager.issuer, database });

  it('run each migration once, also while a third replica starts', async () => {
    const database = await createEmptyDatabase();
    const first = await Promise.all([startReplica(createOptions(database)), startReplica(createOptions(database))]);
    const joined = new AbortController();
    const writers = first.map(async (replica, who) => {
      let made = 0;
      for (; made < 10 || !joined.signal.aborted; made += 1) {
        const { status } = await replica.call({
          ...{ method: 'POST', path: '/v1/groups', token: manager.tokens.admin },
          body: { display_name: `While it joins ${who}-${made}` },
        });
        expect(status).toBe(201);
      }
      return made;
    });
    const third = await startReplica(createOptions(database));
    joined.abort();
    const made = (await Promise.all(writers)).reduce((sum, count) => sum + count);
    const ids = new Set<string>();
    for (let path = '/v1/groups?limit=200'; path !== '';) {
      const { body } = await third.call({ method: 'GET', path, token: manager.tokens.admin });
      for (const { id } of body['items'] as { id: string }[]) ids.add(id);
      const next = body['next_cursor'];
      path = typeof next === 'string' ? `/v1/groups?limit=200&cursor=${encodeURIComponent(next)}` : '';
    }
    expect(ids.size).toBe(made);
    expect(await listMigrations(database)).toEqual(await listMigrations(manager.database));
    await Promise.all([...first, third].map((replica) => replica.kill()));
  }, 90_000);

  it('continue the migrations of a replica that was killed', async () => {
    const database = await createEmptyDatabase();
    const wire = await startPostgresWire(database.ownerUrl);
    const doomed = await startReplica(createOptions({ ...database, ownerUrl: wire.url }), { unready: true });
    await wire.arm({ text: 'COMMIT', occurrence: 4, moment: 'before' }, () => doomed.process.signal('SIGKILL'));
    await doomed.kill();
    await wire.close();
    const left = await listMigrations(database);
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan((await listMigrations(manager.database)).length);
    const next = await Promise.all([startReplica(createOptions(database)), startReplica(createOptions(database))]);
    expect(await listMigrations(database)).toEqual(await listMigrations(manager.database));
    const me = await next[1].call({ method: 'GET', path: '/v1/users', token: manager.tokens.admin });
    expect(me.status).toBe(200);
    await Promise.all(next.map((replica) => replica.kill()));
  }, 90_000);
});

/** Reads the names of the migrations of a database in their order. */
async function listMigrations({ adminUrl }: Pick<TestDatabase, 'adminUrl'>): Promise<string[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY id');
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
