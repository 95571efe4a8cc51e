import { isProcessAlive } from '@gatehouse/postgres/pid-file';
import { startPostgres } from '@gatehouse/postgres/server';
import { type DatabaseUrls, databaseUrl, provisionDatabase, withDatabase } from '@gatehouse/postgres/provision';
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { cacheFolder } from './cache.ts';

/** A database of its own for one test file. */
export interface TestDatabase extends DatabaseUrls {
  /** URL of the superuser, for tests that inspect or damage the database from outside. */
  adminUrl: string;
  /** Removes the database and ends its connections. */
  drop(): Promise<void>;
}

/** The content of a test database. */
export interface TestDatabaseRequest {
  /** Suites with the same name share a template. */
  name: string;
  /**
   * Prepares an empty database, usually with migrations. It runs once for each name and content in
   * a test run.
   */
  prepare?: (ownerUrl: string) => Promise<unknown>;
}

const PASSWORDS = { owner: 'owner', runtime: 'runtime' };
const ROLES = { ownerRole: 'test_owner', runtimeRole: 'test_runtime' };
const TEMPLATE_LOCK = 7_046_030;

/**
 * Creates a database with an owner and a runtime role from a template, in well under 100 ms. The
 * server is the one of GATEHOUSE_TEST_POSTGRES (a superuser's URL), else a server that all test
 * processes of this repository share and that outlives them. The test runner stops it
 * (`tools/testbed/stop.mjs`).
 */
export async function createDatabase({ name, prepare }: TestDatabaseRequest): Promise<TestDatabase> {
  const serverUrl = await testServerUrl();
  const database = `t_${process.pid}_${slug(name)}_${randomBytes(5).toString('hex')}`;
  if (prepare) {
    const template = await ensureTemplate(serverUrl, name, prepare);
    await onServer(serverUrl, async (admin) => {
      await admin.query(`CREATE DATABASE ${database} TEMPLATE ${template} OWNER ${ROLES.ownerRole}`);
      // A template does not pass on rights on the database itself.
      await admin.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
      await admin.query(`GRANT CONNECT ON DATABASE ${database} TO ${ROLES.runtimeRole}`);
    });
  } else {
    await provisionDatabase(serverUrl, { database, ...ROLES, passwords: PASSWORDS });
  }
  return {
    url: databaseUrl(serverUrl, database, ROLES.runtimeRole, PASSWORDS.runtime),
    ownerUrl: databaseUrl(serverUrl, database, ROLES.ownerRole, PASSWORDS.owner),
    adminUrl: withDatabase(serverUrl, database),
    drop: async () => {
      await onServer(serverUrl, (admin) => admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`));
    },
  };
}

/**
 * Superuser URL of the server that all tests of this run share. Starts the server, or adopts one
 * that an earlier process left.
 */
export async function testServerUrl(): Promise<string> {
  const given = process.env['GATEHOUSE_TEST_POSTGRES'];
  if (given) return given;
  const server = await startPostgres({
    directory: cacheFolder('postgres'),
    stopWithParent: false,
    // Tests kill processes and not machines, so the data need not survive a power failure.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 400 },
  });
  return server.adminUrl;
}

/**
 * Creates the template of a name once. It belongs to this process, so that changed code never sees
 * the tables of an earlier run.
 */
async function ensureTemplate(
  serverUrl: string,
  name: string,
  prepare: (ownerUrl: string) => Promise<unknown>,
): Promise<string> {
  const content = createHash('sha256').update(`${name}\n${prepare.toString()}`).digest('hex').slice(0, 12);
  const template = `template_${process.pid}_${content}`;
  await onServer(serverUrl, async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (await exists(admin, template)) return;
    await dropLeftovers(admin);
    const unfinished = `${template}_unfinished`;
    await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    const { ownerUrl } = await provisionDatabase(serverUrl, { database: unfinished, ...ROLES, passwords: PASSWORDS });
    await prepare(ownerUrl);
    await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
  });
  return template;
}

/** Drops the databases of ended test processes. */
async function dropLeftovers(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    String.raw`SELECT datname FROM pg_database WHERE datname ~ '^(t|template)_\d+_'`,
  );
  for (const { datname } of rows) {
    if (!isProcessAlive(Number(datname.split('_')[1])))
      await admin.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  }
}

async function exists(admin: pg.Client, database: string): Promise<boolean> {
  const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  return rowCount === 1;
}

async function onServer<T>(serverUrl: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: serverUrl, application_name: 'gatehouse-testing' });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 24);
