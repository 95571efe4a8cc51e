import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, parse, relative, sep } from 'node:path';
import { flagError, getErrorMessage, type WorkloadError } from '../errors/workload-error.ts';
import type { DeclaredMount } from './mount.ts';
import { listKnownPaths, listSensitivePaths, type Places, type SensitivePath } from './sensitive-paths.ts';

/**
 * Resolves the host paths of mounts, with all their symbolic links, and refuses those that would
 * give a server the machine, the credentials of the user, or a way to run programs outside of its
 * container.
 * @returns the mounts with their resolved host paths
 * @throws WorkloadError (usage) that names the flag or the member of the profile
 */
export function resolveMounts(mounts: readonly DeclaredMount[], places: Places): DeclaredMount[] {
  return mounts.map((mount) => {
    const source = resolveSource(mount);
    for (const sensitive of listSensitivePaths(source, places)) {
      const problem = findProblem({ ...mount, source }, sensitive);
      if (problem !== undefined) throw createRefusal(mount, source, sensitive, problem);
    }
    const socket = findEngineSocket(source);
    if (socket !== undefined)
      throw createRefusal(
        mount,
        source,
        { path: socket, what: 'the socket of a container engine', rule: 'never' },
        socket === source ? 'whole' : 'contains',
      );
    return { ...mount, source };
  });
}

/** The names of the sockets of container engines, in any folder. */
const ENGINE_SOCKETS: ReadonlySet<string> = new Set([
  ...['docker.sock', 'docker-raw.sock', 'podman.sock', 'containerd.sock', 'crio.sock', 'buildkitd.sock'],
]);

/** Finds a socket of an engine by its name: a path itself, or an entry of a folder. */
function findEngineSocket(source: string): string | undefined {
  const isSocket = (path: string) => statSync(path, { throwIfNoEntry: false })?.isSocket() === true;
  if (isSocket(source)) return ENGINE_SOCKETS.has(basename(source)) ? source : undefined;
  return listEntries(source)
    .filter((name) => ENGINE_SOCKETS.has(name))
    .map((name) => join(source, name))
    .find(isSocket);
}

/** A file has no entries, and a server of this user cannot list more than this user. */
function listEntries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function resolveSource({ source, origin }: DeclaredMount): string {
  try {
    return realpathSync.native(source);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'which does not exist' : getErrorMessage(error);
    throw flagError(origin, `names the host path '${source}', ${reason}`);
  }
}

/** The relation of a mount to a sensitive path that is not allowed. */
type Problem = 'contains' | 'whole' | 'part' | 'writable';

function findProblem({ source, readOnly }: DeclaredMount, { path, rule }: SensitivePath): Problem | undefined {
  const real = resolveIfPresent(path);
  if (isSameSocket(source, real)) return 'whole';
  if (source === real) return findProblemOfWhole(source, rule, readOnly);
  if (isWithin(real, source)) return findProblemOfContainer(source, path, rule, readOnly);
  if (!isWithin(source, real)) return undefined;
  if (rule === 'never') return 'part';
  return rule === 'parts' || readOnly ? undefined : 'writable';
}

function findProblemOfWhole(source: string, rule: SensitivePath['rule'], readOnly: boolean): Problem | undefined {
  if (rule === 'read-only') return readOnly ? undefined : 'writable';
  if (rule === 'parts-read-only' && !statSync(source).isDirectory()) return readOnly ? undefined : 'writable';
  return 'whole';
}

/** A folder that contains a sensitive path which does not exist gives no access to it. */
function findProblemOfContainer(
  source: string,
  path: string,
  rule: SensitivePath['rule'],
  readOnly: boolean,
): Problem | undefined {
  if (parse(source).root === source) return 'contains';
  const isPresent = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return isPresent && (rule !== 'read-only' || !readOnly) ? 'contains' : undefined;
}

function resolveIfPresent(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/**
 * Finds the sensitive path that a file is, or that contains it.
 * @param path resolved, also where the file does not exist
 * @returns undefined for a file that a program may write for a user
 */
export const findSensitiveFile = (path: string, userHomes: readonly string[]): SensitivePath | undefined =>
  listKnownPaths(path, userHomes).find((sensitive) => {
    const real = resolveIfPresent(sensitive.path);
    return sensitive.rule !== 'parts' && (path === real || isWithin(path, real));
  });

/** Whether a path is in a folder, and not the folder itself. */
function isWithin(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between !== '' && between !== '..' && !between.startsWith(`..${sep}`) && parse(between).root === '';
}

/** Whether two paths are one socket, also by a hard link or by another mount of its folder. */
function isSameSocket(source: string, sensitive: string): boolean {
  const first = statSync(source, { throwIfNoEntry: false });
  if (first?.isSocket() !== true) return false;
  const second = statSync(sensitive, { throwIfNoEntry: false });
  return second?.isSocket() === true && first.dev === second.dev && first.ino === second.ino;
}

function createRefusal(
  mount: DeclaredMount,
  source: string,
  { path, what, rule }: SensitivePath,
  problem: Problem,
): WorkloadError {
  const resolved = source === mount.source ? '' : ` (${source})`;
  const verb = problem === 'writable' ? 'would let the server change' : 'would give the server';
  const place = problem === 'contains' || source === path ? ` (${path})` : '';
  const tryNext = [
    ...(rule === 'read-only' || (problem === 'writable' && rule !== 'never') ? [READ_ONLY] : []),
    ...(rule === 'never' || problem === 'writable' ? [] : [PART]),
    ...(what === 'credentials' ? [CREDENTIAL] : []),
    ...(rule === 'never' ? [OTHER] : []),
  ];
  return flagError(mount.origin, `mounts ${mount.source}${resolved}, which ${verb} ${what}${place}`, ...tryNext);
}

const READ_ONLY = 'mount it read-only: HOST:CONTAINER:ro for --volume, or the list read of the profile';
const PART = 'mount only the file or the sub-folder that the server needs';
const CREDENTIAL = '--secret NAME,target=VARIABLE   gives the server one credential';
const OTHER = 'mount a folder without it';
