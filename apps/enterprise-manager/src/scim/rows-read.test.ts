import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource } from 'typeorm';
import { migrations } from '../database/migrations.ts';
import { ScimGroupsRepository } from './groups/scim-groups.repository.ts';
import { ScimMembersRepository } from './groups/scim-members.repository.ts';
import { toPageRequest } from './http/scim-page.ts';
import { ScimUsersRepository } from './users/scim-users.repository.ts';

const PEOPLE = 3_000;
const GROUPS = 300;
const EACH_IN = 3;
const PARTS = new Set(['value', '$ref', 'type'] as const);
const BASE = 'https://x.test/scim/i/v2';
const createId = (kind: 'a' | 'b', n: number) => `00000000-0000-7000-800${kind}-${String(n).padStart(12, '0')}`;

describe('SCIM reads of a growing directory without table statistics', () => {
  let database: TestDatabase;
  let service: DataSource;
  let owner: DataSource;
  let users: ScimUsersRepository;
  let groups: ScimGroupsRepository;
  let members: ScimMembersRepository;

  /** Returns the number of rows of a table that were read with or without an index. */
  const countReadRows = async (table: string): Promise<number> => {
    for (const connection of [service, owner]) await connection.query('SELECT pg_stat_force_next_flush()');
    const [read] = await owner.query<{ rows: number }[]>(
      'SELECT seq_tup_read + COALESCE(idx_tup_fetch, 0) AS rows FROM pg_stat_user_tables WHERE relname = $1',
      [table],
    );
    return read?.rows ?? Number.NaN;
  };
  const countRowsDuring = async <T>(table: string, work: () => Promise<T>): Promise<{ found: T; rows: number }> => {
    const before = await countReadRows(table);
    const found = await work();
    return { found, rows: (await countReadRows(table)) - before };
  };
  const filterUsers = (filter: string) =>
    users.readPage('i', toPageRequest('User', { filter, startIndex: 1, count: 100 }));

  beforeAll(async () => {
    database = await createDatabase({ name: 'scim-rows-read', prepare: (url) => migrate(url, migrations) });
    service = await createDataSource({ url: database.url, entities: [], poolSize: 1 }).initialize();
    owner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 1 }).initialize();
    users = new ScimUsersRepository(service);
    groups = new ScimGroupsRepository(service);
    members = new ScimMembersRepository(service);
    for (const table of ['users', 'groups', 'group_users', 'group_subgroups'])
      await owner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    // Postgres keeps the generic plan of a prepared statement after five executions.
    for (let time = 0; time < 10; time += 1) {
      await users.find('i', createId('a', 1));
      await users.listGroupsOfUsers('i', [createId('a', 1)], PARTS, BASE);
      await groups.find('i', createId('b', 1));
      await members.listOfGroups([createId('b', 1)], PARTS, BASE);
      await filterUsers('emails.value eq "p1@x.test"');
    }
    await owner.query(
      `INSERT INTO users (id, issuer, source, user_name, user_name_key, external_id, binding_key, active, display_name, search_key, scim, created_at, updated_at)
       SELECT ('00000000-0000-7000-800a-' || lpad(n::text, 12, '0'))::uuid, 'i', 'scim', 'p' || n, 'p' || n, n, n, TRUE, 'P', 'p',
         jsonb_build_object('title', 'T', 'displayName', 'P' || n, 'emails', jsonb_build_array(jsonb_build_object('value', 'p' || n || '@x.test'))), now(), now()
       FROM generate_series(1, ${PEOPLE}) AS n`,
    );
    await owner.query(
      `INSERT INTO groups (id, issuer, source, name, display_name, display_name_key, description, search_key, created_at, updated_at)
       SELECT ('00000000-0000-7000-800b-' || lpad(n::text, 12, '0'))::uuid, 'i', 'scim', 'g' || n, 'g' || n, 'g' || n, '', 'g', now(), now()
       FROM generate_series(1, ${GROUPS}) AS n`,
    );
    await owner.query(
      `INSERT INTO group_users (group_id, user_id, created_at)
       SELECT ('00000000-0000-7000-800b-' || lpad(((n * 7 + k) % ${GROUPS} + 1)::text, 12, '0'))::uuid,
         ('00000000-0000-7000-800a-' || lpad(n::text, 12, '0'))::uuid, now()
       FROM generate_series(1, ${PEOPLE}) AS n CROSS JOIN generate_series(1, ${EACH_IN}) AS k`,
    );
  }, 60_000);
  afterAll(async () => {
    await service.destroy();
    await owner.destroy();
    await database.drop();
  });

  it('find one user and one group without reading other rows', async () => {
    const person = await countRowsDuring('users', () => users.find('i', createId('a', 77)));
    expect(person.found?.user_name).toBe('p77');
    expect(person.rows).toBeLessThan(5);
    const group = await countRowsDuring('groups', () => groups.find('i', createId('b', 77)));
    expect(group.found?.display_name).toBe('g77');
    expect(group.rows).toBeLessThan(5);
    expect((await countRowsDuring('users', () => users.find('another', createId('a', 77)))).found).toBeUndefined();
    expect(await groups.find('another', createId('b', 77))).toBeUndefined();
  });

  it('lock new members without reading other users', async () => {
    const { found, rows } = await countRowsDuring('users', () =>
      members.lockKnown(service.manager, 'i', [createId('a', 5), createId('a', 6), createId('a', PEOPLE + 1)]),
    );
    expect(found).toEqual({ users: [createId('a', 5), createId('a', 6)], groups: [] });
    expect(rows).toBeLessThan(10);
  });

  it.each([
    'emails.value eq "P77@x.test"',
    'emails[value eq "p77@x.test"]',
    'displayName eq "p77"',
    'userName eq "P77"',
    'externalId eq "77"',
    'userName sw "P77" and active eq true and not (userName sw "P77" and not (userName eq "P77"))',
  ])('find a user by %s without reading other users', async (filter) => {
    const { found, rows } = await countRowsDuring('users', () => filterUsers(filter));
    expect(found.rows.map(({ user_name }) => user_name)).toEqual(['p77']);
    expect(rows).toBeLessThan(60);
  });

  it.each([`groups.value eq "${createId('b', 7)}"`, `groups[display eq "G7"]`])(
    'find the users of a group by %s without reading other memberships',
    async (filter) => {
      const { found, rows } = await countRowsDuring('group_users', () => filterUsers(filter));
      expect(found.total).toBe((PEOPLE * EACH_IN) / GROUPS);
      expect(rows).toBeLessThanOrEqual(2 * found.total);
    },
  );

  it('find all users with the same text', async () => {
    const found = await filterUsers('title eq "t"');
    expect([found.rows.length, found.total]).toEqual([100, PEOPLE]);
    expect((await filterUsers('title eq "T" and displayName eq "p9"')).total).toBe(1);
  });

  it('read each group once, and only the memberships of the page', async () => {
    const ids = Array.from({ length: 10 }, (_, n) => createId('a', n + 1));
    const ofUsers = await countRowsDuring('groups', () => users.listGroupsOfUsers('i', ids, PARTS, BASE));
    expect([...ofUsers.found.values()].map((list) => (JSON.parse(list) as unknown[]).length)).toEqual(
      ids.map(() => EACH_IN),
    );
    expect(ofUsers.rows).toBeLessThanOrEqual(GROUPS);
    const memberships = await countRowsDuring('group_users', () => users.listGroupsOfUsers('i', ids, PARTS, BASE));
    expect(memberships.rows).toBeLessThanOrEqual(ids.length * EACH_IN + 5);
    const ofGroups = await countRowsDuring('group_users', () => members.listOfGroups([createId('b', 1)], PARTS, BASE));
    const list = JSON.parse(ofGroups.found.get(createId('b', 1)) ?? '[]') as { value: string; $ref: string }[];
    expect(list.length).toBe((PEOPLE * EACH_IN) / GROUPS);
    expect(list.map(({ $ref }) => $ref)).toEqual(list.map(({ value }) => `${BASE}/Users/${value}`));
    expect(ofGroups.rows).toBeLessThanOrEqual(list.length + 5);
  });
});
