import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './ports.ts';

/** Debian's folder of Postgres versions: `<folder>/15/bin` holds the programs of version 15. */
const VERSIONS = '/usr/lib/postgresql';

/** A Postgres that a distribution built, unlike the embedded one. */
export interface PlainPostgres {
  /**
   * Superuser URL. Every client that connects has all rights: the server runs for one suite or
   * measurement, on the loopback interface.
   */
  readonly adminUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The program folder of the oldest installed Postgres; undefined without one. */
export function plainPostgresPrograms(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).filter((name) => /^\d+$/.test(name)) : [];
  return versions
    .sort((one, other) => Number(one) - Number(other))
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/**
 * Starts a server with its default settings and further ones. As root it runs as the user
 * `postgres`.
 * @param programs the folder of its programs
 * @param directory created when missing; the server's user must be able to reach it
 * @throws {Error} when the server ends during its start
 */
export async function startPlainPostgres(
  programs: string,
  directory: string,
  settings: Record<string, string | number> = {},
): Promise<PlainPostgres> {
  const account = process.getuid?.() === 0 ? { uid: readPostgresId('-u'), gid: readPostgresId('-g') } : undefined;
  const data = join(directory, 'data');
  mkdirSync(directory, { recursive: true });
  if (account) chownSync(directory, account.uid, account.gid);
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: process.env['PATH'] };
  const options = { ...account, cwd: directory, stdio: 'ignore', env } as const;
  const flags = ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  if (!existsSync(join(data, 'PG_VERSION'))) execFileSync(join(programs, 'initdb'), flags, options);
  const port = await freePort();
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port, ...settings };
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    options,
  );
  const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  while (!(await isAnswering(adminUrl))) {
    if (server.exitCode !== null || server.pid === undefined) throw new Error(`${programs}/postgres did not start`);
    await sleep(50);
  }
  return {
    adminUrl,
    pid: server.pid!,
    stop: async () => {
      server.kill('SIGINT');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}

const readPostgresId = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'postgres']));

async function isAnswering(connectionString: string): Promise<boolean> {
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
