import pg from 'pg';

/** A database and its two roles. */
export interface DatabaseRequest {
  database: string;
  /** Owns the database and all objects that migrations create. */
  ownerRole: string;
  /** The role of the service: it reads and writes rows but cannot change the schema. */
  runtimeRole: string;
  passwords: { owner: string; runtime: string };
}

/** Connection URLs of a provisioned database. */
export interface DatabaseUrls {
  /** With the runtime role. */
  url: string;
  /** With the owner role, for migrations. */
  ownerUrl: string;
}

/** Key of the advisory lock for the creation of roles and databases. */
const PROVISION_LOCK = 7_046_029;

/**
 * Creates a database and its two roles, or updates their passwords and rights. It drops no object.
 * Concurrent calls wait for each other.
 *
 * The runtime role can use the tables, sequences and functions that the owner creates later
 * (SELECT, INSERT, UPDATE, DELETE). The migration of an append-only table revokes UPDATE and
 * DELETE. Other roles cannot connect.
 *
 * @param adminUrl URL of any database of the server, with a superuser
 */
export async function provisionDatabase(adminUrl: string, request: DatabaseRequest): Promise<DatabaseUrls> {
  const { database, ownerRole, runtimeRole, passwords } = request;
  await withClient(withDatabase(adminUrl, 'postgres'), async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [PROVISION_LOCK]);
    await ensureRole(admin, ownerRole, passwords.owner);
    await ensureRole(admin, runtimeRole, passwords.runtime);
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await admin.query(`CREATE DATABASE ${id(database)} OWNER ${id(ownerRole)}`);
    await admin.query(`ALTER DATABASE ${id(database)} OWNER TO ${id(ownerRole)}`);
    await admin.query(`REVOKE ALL ON DATABASE ${id(database)} FROM PUBLIC`);
    await admin.query(`GRANT CONNECT ON DATABASE ${id(database)} TO ${id(runtimeRole)}`);
    await withClient(withDatabase(adminUrl, database), (inside) => grantRuntimeRights(inside, request));
  });
  return {
    url: databaseUrl(adminUrl, database, runtimeRole, passwords.runtime),
    ownerUrl: databaseUrl(adminUrl, database, ownerRole, passwords.owner),
  };
}

/** Returns a URL with another database, role and password. */
export function databaseUrl(adminUrl: string, database: string, role: string, password: string): string {
  const url = new URL(withDatabase(adminUrl, database));
  url.username = encodeURIComponent(role);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** Returns a URL with another database. */
export function withDatabase(anyUrl: string, database: string): string {
  const url = new URL(anyUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

async function ensureRole(admin: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  const action = rowCount === 0 ? 'CREATE' : 'ALTER';
  await admin.query(
    `${action} ROLE ${id(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${pg.escapeLiteral(password)}`,
  );
}

async function grantRuntimeRights(inside: pg.Client, { ownerRole, runtimeRole }: DatabaseRequest): Promise<void> {
  const owner = id(ownerRole);
  const runtime = id(runtimeRole);
  const future = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner}`;
  await inside.query(`ALTER SCHEMA public OWNER TO ${owner}`);
  await inside.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
  await inside.query(`GRANT USAGE ON SCHEMA public TO ${runtime}`);
  await inside.query(`${future} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${runtime}`);
  await inside.query(`${future} GRANT USAGE ON SCHEMAS TO ${runtime}`);
  await inside.query(`${future} GRANT USAGE, SELECT ON SEQUENCES TO ${runtime}`);
  await inside.query(`${future} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`);
  await inside.query(`${future} GRANT EXECUTE ON FUNCTIONS TO ${runtime}`);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gatehouse-provision' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const id = (name: string): string => pg.escapeIdentifier(name);
