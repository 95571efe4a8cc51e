import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { startProcess } from '@gatehouse/testing/process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createEnvironment, type TestUser } from './enterprise-manager.ts';

const people: TestUser[] = Array.from({ length: 50 }, (_, n) => ({
  subject: `person-${n}`,
  user_name: `person.${n}`,
  display_name: `Person ${n}`,
}));

describe('the start of the enterprise manager', () => {
  let issuer: TestIssuer;
  let database: TestDatabase;
  beforeAll(async () => {
    issuer = await startIssuer();
    database = await createDatabase({ name: 'enterprise-manager-start' });
  }, 60_000);
  afterAll(async () => {
    await issuer.close();
    await database.drop();
  });

  const start = async (environment: Record<string, string> = {}, seed: readonly TestUser[] = people) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { ...createEnvironment(issuer, database, { people: seed }), PORT: String(port), ...environment };
    return { url, process: await startProcess({ app: 'enterprise-manager', env, readyUrl: `${url}/readyz` }) };
  };
  const queryRows = async <Row>(text: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  const countUsers = async (url: string): Promise<number> => {
    const token = await issuer.token({ subject: 'admin', roles: ['admin'] });
    const response = await fetch(`${url}/v1/users?limit=200`, { headers: { authorization: `Bearer ${token}` } });
    return ((await response.json()) as { items: unknown[] }).items.length;
  };

  it('succeeds for two replicas at the same moment on an empty database', async () => {
    const replicas = await Promise.all([start(), start()]);
    for (const { url } of replicas) expect(await countUsers(url)).toBe(people.length);
    const ends = await Promise.all(replicas.map(({ process }) => process.stop()));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  }, 60_000);

  it('renames the users of SEED_USERS, also when two swap names, and changes no other users', async () => {
    await queryRows("UPDATE users SET source = 'scim' WHERE subject = 'person-2'");
    await queryRows("UPDATE users SET active = FALSE WHERE subject = 'person-3'");
    const changed = people.slice(0, 4).map((person) => ({ ...person, display_name: `New ${person.display_name}` }));
    const [first, second] = changed;
    if (first && second) [first.user_name, second.user_name] = [second.user_name, first.user_name];
    const before = await queryRows<{ id: string }>('SELECT id FROM users ORDER BY id');
    const { process } = await start({}, changed);
    await process.stop();
    expect(
      await queryRows(
        "SELECT user_name, display_name, source, active FROM users WHERE subject ~ '^person-[0-4]$' ORDER BY subject",
      ),
    ).toEqual([
      { user_name: 'person.1', display_name: 'New Person 0', source: 'config', active: true },
      { user_name: 'person.0', display_name: 'New Person 1', source: 'config', active: true },
      { user_name: 'person.2', display_name: 'Person 2', source: 'scim', active: true },
      { user_name: 'person.3', display_name: 'New Person 3', source: 'config', active: false },
      { user_name: 'person.4', display_name: 'Person 4', source: 'config', active: true },
    ]);
    expect(await queryRows('SELECT id FROM users ORDER BY id')).toEqual(before);
  }, 60_000);

  it('does not add a user again that SCIM has removed', async () => {
    await queryRows("DELETE FROM users WHERE subject = 'person-7'");
    const { process } = await start();
    await process.stop();
    expect(await queryRows("SELECT subject FROM users WHERE subject IN ('person-7', 'person-8')")).toEqual([
      { subject: 'person-8' },
    ]);
  }, 60_000);

  it('fails when a user_name of SEED_USERS belongs to another user', async () => {
    const thief = [{ subject: 'thief', user_name: 'PERSON.5', display_name: 'Thief' }];
    await expect(start({}, thief)).rejects.toThrow(/SEED_USERS has a user_name that another user/);
    expect(await queryRows("SELECT 1 FROM users WHERE subject = 'thief'")).toEqual([]);
  }, 60_000);

  it('names all wrong variables at once and prints no secret', async () => {
    const failed = start({
      PORT: 'eighty',
      GATEWAYS: '[{"id":"Local!"}]',
      SEED_USERS: JSON.stringify([
        { issuer: 'http://i.test', subject: 'a', user_name: 'Same', display_name: 'A' },
        { issuer: 'http://i.test', subject: 'b', user_name: 'same', display_name: 'B' },
      ]),
      CURSOR_KEY: 'short-secret',
    });
    const reason = await failed.then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
    for (const name of ['PORT', 'GATEWAYS', 'SEED_USERS', 'CURSOR_KEY']) expect(reason).toContain(name);
    expect(reason).not.toContain('short-secret');
  }, 60_000);

  it('runs its own Postgres without DATABASE_URL and keeps the data', async () => {
    const home = mkdtempSync(join(tmpdir(), 'gatehouse-em-'));
    chmodSync(home, 0o755);
    const own = { DATABASE_URL: '', DATABASE_OWNER_URL: '', GATEHOUSE_HOME: home };
    try {
      const first = await start(own);
      expect(await countUsers(first.url)).toBe(people.length);
      await first.process.killHard();
      const second = await start(own, people.slice(0, 1));
      expect(await countUsers(second.url)).toBe(people.length);
      expect((await second.process.stop()).code).toBe(0);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }, 90_000);
});
