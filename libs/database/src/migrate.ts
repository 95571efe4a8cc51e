import { createHash } from 'node:crypto';
import pg from 'pg';
import { createDataSource, type Classes } from './data-source.ts';

/** Maximum wait for the migrations of another replica. */
const LOCK_DEADLINE_MS = 120_000;

/**
 * Runs all pending migrations, under an advisory lock: replicas that start at the same time wait
 * for each other. Each migration runs in its own transaction, so a run after a crash continues with
 * the first incomplete migration.
 *
 * @param ownerUrl URL of the role that owns the schema
 * @returns the names of the migrations that this call ran
 * @throws {Error} of the migration that failed
 */
export async function migrate(ownerUrl: string, migrations: Classes): Promise<string[]> {
  const lock = new pg.Client({ connectionString: ownerUrl, application_name: 'gatehouse-migrate' });
  await lock.connect();
  // The lock has its own connection, so a migration can use statements that Postgres refuses within
  // a transaction.
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

/** Advisory locks belong to one database, so all services can use the same key. */
const lockKey = (): string => createHash('sha256').update('gatehouse.migrate').digest().readBigInt64BE().toString();
