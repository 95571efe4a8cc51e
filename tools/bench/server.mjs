import { randomBytes } from 'node:crypto';
import { provisionDatabase } from '../../libs/postgres/dist/provision.js';
import { startPostgres } from '../../libs/postgres/dist/server.js';
import { startPlainPostgres } from '@gatehouse/testing/plain-postgres';

/**
 * Starts the Postgres of a measurement: the embedded one, or the one whose programs are in the
 * folder GATEHOUSE_BENCH_POSTGRES, such as `/usr/lib/postgresql/15/bin`.
 */
export async function startServer(directory, settings = {}) {
  const programs = process.env.GATEHOUSE_BENCH_POSTGRES;
  if (programs === undefined) return startPostgres({ directory, settings });
  const server = await startPlainPostgres(programs, directory, settings);
  const database = (name) => {
    const passwords = { owner: randomBytes(8).toString('hex'), runtime: randomBytes(8).toString('hex') };
    const roles = { ownerRole: `${name}_owner`, runtimeRole: `${name}_runtime` };
    return provisionDatabase(server.adminUrl, { database: name, ...roles, passwords });
  };
  return { ...server, database };
}
