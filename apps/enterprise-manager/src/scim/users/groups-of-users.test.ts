import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource } from 'typeorm';
import { migrations } from '../../database/migrations.ts';
import { ELEMENT_PARTS, type ElementPart } from '../protocol/element-text.ts';
import { ScimUsersRepository } from './scim-users.repository.ts';

const BASE = 'https://x.test/scim/i/v2';
const createId = (name: string) => `00000000-0000-7000-8000-${name.padStart(12, '0')}`;
const [ANN, BOB, EVE] = ['a', 'b', 'e'].map(createId) as [string, string, string];
const [ONE, TWO, LOCAL] = ['1', '2', '3'].map(createId) as [string, string, string];

describe('ScimUsersRepository.listGroupsOfUsers', () => {
  let database: TestDatabase;
  let service: DataSource;
  beforeAll(async () => {
    database = await createDatabase({ name: 'groups-of-people', prepare: (url) => migrate(url, migrations) });
    service = await createDataSource({ url: database.url, entities: [], poolSize: 1 }).initialize();
    await service.query(
      `INSERT INTO users (id, issuer, source, user_name, user_name_key, active, display_name, search_key, scim, created_at, updated_at)
       SELECT id, 'i', 'scim', id, id, TRUE, 'P', 'p', '{}', now(), now() FROM unnest($1::uuid[]) AS p (id)`,
      [[ANN, BOB, EVE]],
    );
    await service.query(
      `INSERT INTO groups (id, issuer, source, name, display_name, display_name_key, description, search_key, created_at, updated_at)
       VALUES ($1, 'i', 'scim', '1', 'One', '1', '', '', now(), now()), ($2, 'i', 'scim', '2', E'He said "two"\\n', '2', '', '', now(), now()),
              ($3, NULL, 'local', '3', 'Local', '3', '', '', now(), now())`,
      [ONE, TWO, LOCAL],
    );
    await service.query('INSERT INTO group_subgroups (parent_id, child_id, created_at) VALUES ($1, $2, now())', [
      TWO,
      ONE,
    ]);
    await service.query(
      `INSERT INTO group_users (group_id, user_id, created_at) VALUES ($1, $4, now()), ($1, $5, now()), ($2, $5, now()), ($3, $5, now()), ($3, $6, now())`,
      [ONE, TWO, LOCAL, ANN, BOB, EVE],
    );
  }, 60_000);
  afterAll(async () => {
    await service.destroy();
    await database.drop();
  });

  const listGroups = async (person: string, parts: readonly ElementPart[] = ELEMENT_PARTS): Promise<unknown> => {
    const lists = await new ScimUsersRepository(service).listGroupsOfUsers('i', [ANN, BOB, EVE], new Set(parts), BASE);
    return JSON.parse(lists.get(person) ?? 'null');
  };
  const group = (id: string, display: string, type: string) => ({
    value: id,
    $ref: `${BASE}/Groups/${id}`,
    display,
    type,
  });

  it('returns direct groups, then indirect groups, each once and only provisioned groups', async () => {
    expect(await listGroups(ANN)).toEqual([group(ONE, 'One', 'direct'), group(TWO, 'He said "two"\n', 'indirect')]);
    expect(await listGroups(BOB)).toEqual([group(ONE, 'One', 'direct'), group(TWO, 'He said "two"\n', 'direct')]);
    expect(await listGroups(EVE)).toBeNull();
  });

  it('returns the requested parts', async () => {
    expect(await listGroups(ANN, ['type'])).toEqual([{ type: 'direct' }, { type: 'indirect' }]);
    expect(await listGroups(ANN, ['value', 'type'])).toEqual([
      { value: ONE, type: 'direct' },
      { value: TWO, type: 'indirect' },
    ]);
    expect(await listGroups(ANN, ['display'])).toEqual([{ display: 'One' }, { display: 'He said "two"\n' }]);
    expect(await listGroups(ANN, [])).toEqual([{}, {}]);
  });
});
