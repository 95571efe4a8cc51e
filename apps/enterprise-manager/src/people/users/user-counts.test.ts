import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource } from 'typeorm';
import { migrations } from '../../database/migrations.ts';

const COUNTS = 'SELECT issuer, sum(people)::int AS people FROM people_counts GROUP BY issuer ORDER BY issuer';
const EXISTING = 'SELECT issuer, count(*)::int AS people FROM users GROUP BY issuer ORDER BY issuer';
const INSERT = `INSERT INTO users (id, issuer, source, user_name, user_name_key, active, display_name, search_key, scim, created_at, updated_at)
  SELECT gen_random_uuid(), $1, 'scim', n, n, TRUE, 'P', 'p', '{}', now(), now() FROM (SELECT $2 || at AS n FROM generate_series(1, $3::int) AS at) AS names`;

describe('the counts of users per issuer', () => {
  let database: TestDatabase;
  let service: DataSource;

  beforeAll(async () => {
    database = await createDatabase({ name: 'people-counts' });
    const first = migrations.findIndex(({ name }) => name.startsWith('CountUsersByIssuer'));
    await migrate(database.ownerUrl, migrations.slice(0, first));
    service = await createDataSource({ url: database.url, entities: [], poolSize: 8 }).initialize();
    await service.query(INSERT, ['one', 'before', 12]);
    await service.query(INSERT, ['two', 'before', 1]);
    await migrate(database.ownerUrl, migrations);
  }, 60_000);
  afterAll(async () => {
    await service.destroy();
    await database.drop();
  });

  const readCounts = () => service.query<{ issuer: string; people: number }[]>(COUNTS);
  const countUsers = () => service.query<{ issuer: string; people: number }[]>(EXISTING);

  it('start with the users that exist', async () => {
    expect(await readCounts()).toEqual([
      { issuer: 'one', people: 12 },
      { issuer: 'two', people: 1 },
    ]);
  });

  it('follow inserts, deletes and changes of the issuer, also many in one statement', async () => {
    await service.query(INSERT, ['three', 'new', 7]);
    await service.query(`DELETE FROM users WHERE issuer = 'one' AND user_name IN ('before1', 'before2')`);
    await service.query(`UPDATE users SET issuer = 'three' WHERE issuer = 'two'`);
    await service.query(`UPDATE users SET display_name = 'Q', issuer = issuer`);
    expect((await readCounts()).filter(({ people }) => people > 0)).toEqual(await countUsers());
  });

  it('ignore a transaction that is rolled back', async () => {
    const before = await readCounts();
    await expect(
      service.transaction(async (manager) => {
        await manager.query(INSERT, ['one', 'rolled back', 5]);
        await manager.query(`DELETE FROM users WHERE issuer = 'three'`);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await readCounts()).toEqual(before);
  });

  it('do not block parallel transactions', async () => {
    const runners = Array.from({ length: 7 }, () => service.createQueryRunner());
    try {
      for (const [at, runner] of runners.entries()) {
        await runner.startTransaction();
        await runner.query(INSERT, ['standing', `${at}-`, 2]);
        await runner.query(INSERT, ['standing', `${at}-again-`, 1]);
      }
      await Promise.all(runners.map((runner) => runner.commitTransaction()));
    } finally {
      await Promise.all(runners.map((runner) => runner.release()));
    }
    const rows = await service.query<{ stripe: number; people: number }[]>(
      `SELECT stripe, people FROM people_counts WHERE issuer = 'standing' ORDER BY stripe`,
    );
    expect(rows).toEqual(runners.map((_, stripe) => ({ stripe, people: 3 })));
    await service.query(`DELETE FROM users WHERE issuer = 'standing'`);
  });

  it('are exact at every moment of parallel writes', async () => {
    const state = { writing: true };
    const differences: unknown[] = [];
    const reading = (async () => {
      while (state.writing) {
        const [seen] = await service.query<{ counted: number; there: number }[]>(
          `SELECT (SELECT sum(people)::int FROM people_counts WHERE issuer = 'busy') AS counted,
                  (SELECT count(*)::int FROM users WHERE issuer = 'busy') AS there`,
        );
        if ((seen?.counted ?? 0) !== seen?.there) differences.push(seen);
      }
    })();
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let time = 0; time < 40; time += 1) {
          await service.query(INSERT, ['busy', `${writer}-${time}-`, 1 + (time % 4)]);
          if (time % 3 === 0)
            await service.query(`DELETE FROM users WHERE issuer = 'busy' AND user_name LIKE $1`, [
              `${writer}-${time - 1}-%`,
            ]);
        }
      }),
    );
    state.writing = false;
    await reading;
    expect(differences).toEqual([]);
    expect((await readCounts()).filter(({ people }) => people > 0)).toEqual(await countUsers());
  });
});
