import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Whom the operating system takes the server for. Postgres refuses to run as root. */
export interface ServerAccount {
  /**
   * A program with its arguments as this account runs it, with the options that `spawn` needs for
   * it.
   */
  command(program: string, args: readonly string[]): [string, string[], { uid?: number; gid?: number }];
  /** Hands a file or folder that this process made to the account. */
  own(path: string): void;
  /** True when the account needs every folder on the way to be open to others. */
  readonly another: boolean;
}

interface SystemUser {
  uid: number;
  gid: number;
}

const CALLER: ServerAccount = {
  command: (program, args) => [program, [...args], {}],
  own: () => undefined,
  another: false,
};

/**
 * The account for the folder of a server. Everybody but root runs the server as themselves. Root
 * runs it as the system user `postgres`, made when it is missing; where a folder on the way is
 * closed to that user, root runs it in a user namespace instead, in which root's own files belong
 * to `postgres`. What a directory was made with it keeps.
 *
 * @throws {Error} naming the closed folder where there are no user namespaces either
 */
export function accountFor(directory: string, program: string): ServerAccount {
  const data = join(directory, 'data');
  if (process.getuid?.() !== 0) return CALLER;
  const user = findUser() ?? createUser();
  // The folder itself is opened for that user (see preparePlace), the way to it is not.
  const closed = closedFolder(directory, user) ?? closedFolder(program, user);
  const made = existsSync(data) ? statSync(data).uid : undefined;
  if (made === undefined ? closed === undefined : made !== 0) {
    if (closed === undefined) return switching(user);
    throw new Error(
      `Postgres runs as the user "postgres", who cannot enter ${closed} any more: chmod o+x ${closed}, or choose another place.`,
    );
  }
  if (!namespacesWork(user)) {
    throw new Error(
      `Postgres runs as the user "postgres", who cannot enter ${closed ?? data}: chmod o+x ${closed ?? data}, or choose another place.`,
    );
  }
  return mapped(user);
}

const switching = (user: SystemUser): ServerAccount => ({
  command: (program, args) => [program, [...args], user],
  own: (path) => chownSync(path, user.uid, user.gid),
  another: true,
});

/**
 * `unshare` replaces itself with the program, so that the process id stays the one that was
 * spawned.
 */
const mapped = (user: SystemUser): ServerAccount => ({
  command: (program, args) => ['unshare', [...mapping(user), program, ...args], {}],
  own: () => undefined,
  another: false,
});

const mapping = ({ uid, gid }: SystemUser): string[] => ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];

const namespacesWork = (user: SystemUser): boolean =>
  spawnSync('unshare', [...mapping(user), 'true'], { stdio: 'ignore' }).status === 0;

/** The first folder on the way to a path that a user may not enter. */
function closedFolder(path: string, user: SystemUser): string | undefined {
  let folder = '/';
  for (const part of ['', ...resolve(path).split('/').slice(1, -1)]) {
    folder = resolve(folder, part);
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return folder;
  }
  return undefined;
}

function findUser(): SystemUser | undefined {
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    return undefined;
  }
}

function createUser(): SystemUser {
  const flags = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'];
  try {
    execFileSync('useradd', flags, { stdio: 'pipe' });
  } catch (cause) {
    // Another server that starts at the same moment may have made it.
    const made = findUser();
    if (made !== undefined) return made;
    throw new Error(
      'Postgres cannot run as root and the user "postgres" could not be made: add it, or start as another user.',
      { cause },
    );
  }
  return { uid: idOf('-u'), gid: idOf('-g') };
}

const idOf = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
