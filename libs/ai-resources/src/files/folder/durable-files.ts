import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Names of files that are being written. Readers ignore them, because they begin with a dot. */
const TEMPORARY = /^\.gatehouse-[0-9a-f]{12}\.tmp$/;

/**
 * Replaces a file atomically and durably: readers see the old or the new bytes, also after a crash.
 * A symbolic link stays, and its target is replaced. Permissions stay, and the owner if possible.
 * @param isUnchanged called directly before the replacement; false prevents it
 * @returns whether the file was replaced
 */
export function replaceFile(path: string, bytes: Buffer, isUnchanged: () => boolean): boolean {
  const target = realpathSync(path);
  return withTemporaryFile(target, bytes, statSync(target), (temporary) => {
    if (!isUnchanged()) return false;
    renameSync(temporary, target);
    flushFolder(dirname(target));
    return true;
  });
}

/**
 * Creates a file atomically and durably.
 * @returns false when a file with this name exists, also in other upper and lower case where the
 * file system does not distinguish them
 */
export function createFile(path: string, bytes: Buffer): boolean {
  return withTemporaryFile(path, bytes, undefined, (temporary) => {
    if (!linkNewFile(temporary, path)) return false;
    flushFolder(dirname(path));
    return true;
  });
}

/** Removes a file durably; a symbolic link, not its target. */
export function removeFile(path: string): void {
  unlinkSync(path);
  flushFolder(dirname(path));
}

/** Removes the files that killed processes were writing. The caller has the lock. */
export function removeTemporaryFiles(folder: string): void {
  for (const name of readdirSync(folder)) if (TEMPORARY.test(name)) rmSync(join(folder, name), { force: true });
}

/** @param like a file whose permissions and owner the new file gets */
function withTemporaryFile<T>(path: string, bytes: Buffer, like: Stats | undefined, use: (temporary: string) => T): T {
  const temporary = join(dirname(path), `.gatehouse-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = openSync(temporary, 'wx');
    try {
      if (like !== undefined) copyPermissions(file, like);
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return use(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function copyPermissions(file: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch {
    // Only root may give a file to another user.
  }
  fchmodSync(file, mode);
}

/** A link never replaces a file. File systems without hard links need a check and a rename. */
function linkNewFile(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'].includes(code ?? '')) throw error;
  }
  if (existsSync(path)) return false;
  renameSync(temporary, path);
  return true;
}

/** Flushes the entries of a folder, so that a rename survives a loss of power. */
function flushFolder(folder: string): void {
  // Windows cannot flush folders.
  if (process.platform === 'win32') return;
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
