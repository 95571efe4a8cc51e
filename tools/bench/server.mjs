import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { provisionDatabase } from '../../libs/postgres/dist/provision.js';
import { startPostgres } from '../../libs/postgres/dist/server.js';

/** A folder with the programs of another Postgres, as `/usr/lib/postgresql/15/bin`. */
const PROGRAMS = process.env.GATEHOUSE_BENCH_POSTGRES;

/**
 * The Postgres of a measurement, in a folder of its own, with the settings that it comes with: the embedded one, or the one whose programs lie in the folder that
 * GATEHOUSE_BENCH_POSTGRES names.
 */
export const startServer = (directory, settings = {}) =>
  PROGRAMS === undefined ? startPostgres({ directory, settings }) : startOther(directory, settings);

/** Whoever can connect may do everything: the server is there for one measurement, on the loopback interface. */
async function startOther(directory, settings) {
  const account = process.getuid() === 0 ? accountNamed('postgres') : {};
  const data = join(directory, 'data');
  mkdirSync(directory, { recursive: true });
  if (account.uid !== undefined) chownSync(directory, account.uid, account.gid);
  const options = {
    ...account,
    cwd: directory,
    stdio: 'ignore',
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: process.env.PATH },
  };
  if (!existsSync(join(data, 'PG_VERSION')))
    execFileSync(
      join(PROGRAMS, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
      options,
    );
  const port = await freePort();
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port, ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(PROGRAMS, 'postgres'), ['-D', data, ...flags], options);
  const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  while (!(await answers(adminUrl))) {
    if (server.exitCode !== null) throw new Error(`${PROGRAMS}/postgres ended while starting`);
    await sleep(50);
  }
  return {
    adminUrl,
    pid: server.pid,
    database: (name) => {
      const passwords = { owner: randomBytes(8).toString('hex'), runtime: randomBytes(8).toString('hex') };
      const roles = { ownerRole: `${name}_owner`, runtimeRole: `${name}_runtime` };
      return provisionDatabase(adminUrl, { database: name, ...roles, passwords });
    },
    stop: async () => {
      server.kill('SIGINT');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}

const accountNamed = (name) => {
  const id = (flag) => Number(execFileSync('id', [flag, name]));
  return { uid: id('-u'), gid: id('-g') };
};

async function answers(connectionString) {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
