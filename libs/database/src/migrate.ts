import { createHash } from 'node:crypto';
import pg from 'pg';
import { createDataSource, type Classes } from './data-source.ts';

/** Longest wait for another replica that is migrating. */
const LOCK_DEADLINE_MS = 120_000;

/**
 * Brings a database to the newest schema. Replicas that start at the same time wait for each other
 * on an advisory lock; each migration runs in a transaction of its own, so that a killed run leaves
 * whole steps behind and the next run goes on from there.
 *
 * @param ownerUrl connection as the role that owns the schema
 * @returns the names of the migrations that this call ran
 * @throws {Error} naming the migration that failed, with the cause
 */
export async function migrate(ownerUrl: string, migrations: Classes): Promise<string[]> {
  const lock = new pg.Client({ connectionString: ownerUrl, application_name: 'gatehouse-migrate' });
  await lock.connect();
  // Kept apart from the migrations' own connection: a migration may then also use statements that
  // no transaction allows.
  await lock.query(`SET lock_timeout = ${LOCK_DEADLINE_MS}`);
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [lockKey()]);
    return await runPending(ownerUrl, migrations);
  } finally {
    await lock.end();
  }
}

async function runPending(ownerUrl: string, migrations: Classes): Promise<string[]> {
  const dataSource = createDataSource({
    url: ownerUrl,
    entities: [],
    migrations,
    applicationName: 'gatehouse-migrate',
    poolSize: 2,
    statementTimeoutMs: 0,
  });
  await dataSource.initialize();
  try {
    const done = await dataSource.runMigrations({ transaction: 'each' });
    return done.map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}

/** Advisory locks belong to one database, so one key serves every service. */
const lockKey = (): string => createHash('sha256').update('gatehouse.migrate').digest().readBigInt64BE().toString();
