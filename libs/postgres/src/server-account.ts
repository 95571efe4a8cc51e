import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The system user that runs the server. Postgres refuses to run as root. */
export interface ServerAccount {
  /** Returns program, arguments and `spawn` options that run a program as this account. */
  command(program: string, args: readonly string[]): [string, string[], { uid?: number; gid?: number }];
  /** Makes the account the owner of a file or folder of this process. */
  own(path: string): void;
  /** Whether the account is another user, which must have access to every parent folder. */
  readonly isOtherUser: boolean;
}

interface SystemUser {
  uid: number;
  gid: number;
}

const CALLER: ServerAccount = {
  command: (program, args) => [program, [...args], {}],
  own: () => undefined,
  isOtherUser: false,
};

/**
 * Chooses the account for the folder of a server. A user other than root runs the server directly.
 * Root runs it as the system user `postgres` and creates that user if it is missing. If the user
 * cannot enter a parent folder, root runs the server in a user namespace, in which files of root
 * belong to `postgres`. A folder keeps the account that created it.
 *
 * @throws {Error} naming the closed folder when user namespaces are not available
 */
export function chooseServerAccount(directory: string, program: string): ServerAccount {
  const data = join(directory, 'data');
  if (process.getuid?.() !== 0) return CALLER;
  const user = findUser() ?? createUser();
  // `preparePlace` opens the folder itself for that user, but not its parents.
  const closed = closedFolder(directory, user) ?? closedFolder(program, user);
  const ownerId = existsSync(data) ? statSync(data).uid : undefined;
  if (ownerId === undefined ? closed === undefined : ownerId !== 0) {
    if (closed === undefined) return createOtherUserAccount(user);
    throw new Error(
      `Postgres runs as the user "postgres", which cannot enter ${closed}, because the permissions of that folder have changed: run "chmod o+x ${closed}" or choose another folder.`,
    );
  }
  if (!namespacesWork(user)) {
    throw new Error(
      `Postgres runs as the user "postgres", which cannot enter ${closed ?? data}: run "chmod o+x ${closed ?? data}" or choose another folder.`,
    );
  }
  return namespaceAccount(user);
}

const createOtherUserAccount = (user: SystemUser): ServerAccount => ({
  command: (program, args) => [program, [...args], user],
  own: (path) => chownSync(path, user.uid, user.gid),
  isOtherUser: true,
});

/** `unshare` replaces itself with the program, so that the process id stays the same. */
const namespaceAccount = (user: SystemUser): ServerAccount => ({
  command: (program, args) => ['unshare', [...mapping(user), program, ...args], {}],
  own: () => undefined,
  isOtherUser: false,
});

const mapping = ({ uid, gid }: SystemUser): string[] => ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'];

const namespacesWork = (user: SystemUser): boolean =>
  spawnSync('unshare', [...mapping(user), 'true'], { stdio: 'ignore' }).status === 0;

/** Returns the first parent folder of a path that a user cannot enter. */
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
    return { uid: readPostgresId('-u'), gid: readPostgresId('-g') };
  } catch {
    return undefined;
  }
}

function createUser(): SystemUser {
  const flags = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'];
  try {
    execFileSync('useradd', flags, { stdio: 'pipe' });
  } catch (cause) {
    // A concurrent start may have created the user.
    const user = findUser();
    if (user !== undefined) return user;
    throw new Error(
      'Postgres cannot run as root and the user "postgres" could not be created: create it or start as another user.',
      { cause },
    );
  }
  return { uid: readPostgresId('-u'), gid: readPostgresId('-g') };
}

const readPostgresId = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
