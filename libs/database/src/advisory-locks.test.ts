import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { AdvisoryLocks, LockTimeoutError } from './advisory-locks.ts';
import { createDataSource } from './data-source.ts';

let database: TestDatabase;
let dataSource: DataSource;
const open: AdvisoryLocks[] = [];
beforeAll(async () => {
  database = await createDatabase({ name: 'advisory-locks' });
  dataSource = createDataSource({ url: database.url, entities: [] });
  await dataSource.initialize();
}, 60_000);
afterEach(() => Promise.all(open.splice(0).map((locks) => locks.close())));
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** The locks of one process. */
function createLocks(name = 'locks'): AdvisoryLocks {
  const locks = new AdvisoryLocks(dataSource, name);
  open.push(locks);
  return locks;
}

/** Holds a lock until the returned function is called. */
async function hold(locks: AdvisoryLocks, name: string): Promise<() => Promise<unknown>> {
  const started = Promise.withResolvers<undefined>();
  const released = Promise.withResolvers<undefined>();
  const running = locks.run(name, 5_000, () => {
    started.resolve(undefined);
    return released.promise;
  });
  await Promise.race([started.promise, running]);
  return () => {
    released.resolve(undefined);
    return running;
  };
}

describe('AdvisoryLocks', () => {
  it.each([
    ['of two processes', 2],
    ['of one process', 1],
  ])('run the work %s one after the other', async (_, processes) => {
    const all = Array.from({ length: processes }, () => createLocks());
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await dataSource.query('SELECT pg_sleep(0.01)');
      running -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, (__, at) => all[at % processes]!.run('one', 30_000, work)));
    expect(most).toBe(1);
  });

  it('hold several locks at the same time', async () => {
    const locks = createLocks();
    const [first, second] = [await hold(locks, 'first'), await hold(locks, 'second')];
    await first();
    await expect(createLocks().run('second', 0, () => Promise.resolve())).rejects.toBeInstanceOf(LockTimeoutError);
    await expect(createLocks().run('first', 0, () => Promise.resolve('free'))).resolves.toBe('free');
    await second();
  });

  it('release a lock after work that failed', async () => {
    const locks = createLocks();
    await expect(locks.run('failing', 0, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(createLocks().run('failing', 0, () => Promise.resolve('free'))).resolves.toBe('free');
  });

  it('lose their locks with the connection and work again after it', async () => {
    const locks = createLocks('cut-locks');
    const release = await hold(locks, 'cut');
    const admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut-locks'");
    await admin.end();
    await expect(createLocks().run('cut', 5_000, () => Promise.resolve('free'))).resolves.toBe('free');
    await release();
    await expect(locks.run('cut', 5_000, () => Promise.resolve('again'))).resolves.toBe('again');
  });
});
