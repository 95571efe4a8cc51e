import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource } from 'typeorm';
import { migrations } from '../../database/migrations.ts';
import { UsersRepository } from '../users/users.repository.ts';
import { GroupsRepository } from './groups.repository.ts';

const PEOPLE = 10_000;
const GROUPS = 400;
const MEMBERS = 250;
const NEST = '00000000-0000-7000-8000-000000000001';
const LONE = '00000000-0000-7000-8000-000000000002';

/** The used fields of a node of a query plan. */
interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/**
 * The SQL of the n-th of increasing ids, like the UUIDs of this service.
 * @param kind four digits that make the ids of two tables different
 */
const buildIdSql = (kind: string) => `('00000000-0000-7000-${kind}-' || lpad(n::text, 12, '0'))::uuid`;

describe('the users of a group in a large directory', () => {
  let database: TestDatabase;
  let service: DataSource;
  beforeAll(async () => {
    database = await createDatabase({ name: 'group-members-plan', prepare: (url) => migrate(url, migrations) });
    service = await createDataSource({ url: database.url, entities: [] }).initialize();
    const owner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 1 }).initialize();
    await owner.query(
      `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       SELECT ${buildIdSql('8000')}, 'i', n::text, n::text, n::text, n::text, 'config', TRUE, n::text, now() + n * interval '1 ms', now()
       FROM generate_series(1, ${PEOPLE}) AS n`,
    );
    await owner.query(
      `INSERT INTO groups (id, name, display_name, display_name_key, description, source, search_key, created_at, updated_at)
       SELECT id, id, id, id, '', 'local', id, now(), now() FROM (
         SELECT ${buildIdSql('8001')} AS id FROM generate_series(1, ${GROUPS}) AS n UNION ALL VALUES ('${NEST}'::uuid), ('${LONE}'::uuid)) AS made`,
    );
    await owner.query(
      `INSERT INTO group_users (group_id, user_id, created_at)
       SELECT g.id, u.id, now()
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS at FROM groups WHERE id NOT IN ('${NEST}', '${LONE}')) AS g
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS at FROM users) AS u ON u.at % ${PEOPLE / MEMBERS} = g.at % ${PEOPLE / MEMBERS}`,
    );
    await owner.query(
      `INSERT INTO group_users (group_id, user_id, created_at) SELECT '${LONE}', id, now() FROM users ORDER BY created_at DESC LIMIT 20`,
    );
    await owner.query(
      `INSERT INTO group_subgroups (parent_id, child_id, created_at)
       SELECT '${NEST}', id, now() FROM (SELECT id FROM groups WHERE id NOT IN ('${NEST}', '${LONE}') ORDER BY id LIMIT 20) AS children`,
    );
    await owner.query('VACUUM ANALYZE users, groups, group_users, group_subgroups');
    await owner.destroy();
  }, 60_000);
  afterAll(async () => {
    await service.destroy();
    await database.drop();
  });

  /**
   * Returns the number of rows that a read of a repository touches: rows that its plan reads from
   * tables, and rows that its joins discard.
   */
  async function countTouchedRows(read: (explained: DataSource) => Promise<unknown>): Promise<number> {
    let touched = 0;
    const visit = (node: PlanNode): void => {
      const rows =
        (node['Relation Name'] === undefined ? 0 : node['Actual Rows']) + (node['Rows Removed by Filter'] ?? 0);
      touched += (rows + (node['Rows Removed by Join Filter'] ?? 0)) * node['Actual Loops'];
      node.Plans?.forEach(visit);
    };
    const explain = async (text: string, params: unknown[]): Promise<unknown[]> => {
      const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
        params,
      );
      if (row) visit(row['QUERY PLAN'][0].Plan);
      return [];
    };
    const proxied = new Proxy(service, {
      get: (whole, name): unknown => (name === 'query' ? explain : Reflect.get(whole, name)),
    });
    await read(proxied);
    expect(touched).toBeGreaterThan(0);
    return touched;
  }
  const page = { direction: 'forward', inclusive: false, limit: 51 } as const;

  it('are paged with reads of only the memberships of its subgroups', async () => {
    const inNest = 20 * MEMBERS;
    for (const filter of [{ within: NEST }, { within: NEST, search: '999' }])
      expect(await countTouchedRows((explained) => new UsersRepository(explained).list(filter, page))).toBeLessThan(
        inNest + 2 * PEOPLE,
      );
  });

  it('are found by the few memberships, also for the newest users', async () => {
    expect(
      await countTouchedRows((explained) => new UsersRepository(explained).list({ within: LONE }, page)),
    ).toBeLessThan(GROUPS + 100);
  });

  it('are counted with reads of only the memberships of its subgroups', async () => {
    const counted = countTouchedRows((explained) => new GroupsRepository(explained).list({ name: NEST }, page));
    expect(await counted).toBeLessThan(20 * MEMBERS + 2 * GROUPS);
  });
});
