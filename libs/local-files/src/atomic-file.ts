import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes a new file and flushes it to the disk.
 * @param mode permissions; default: only its owner can read it
 */
export function writeDurably(path: string, text: string, mode = 0o600): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    if (mode !== 0o600) fchmodSync(file, mode);
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Flushes the entries of a folder to the disk. Windows has no such operation. */
function flushFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Replaces a file atomically: readers see the old or the new text, also after a crash. The new
 * one is on the disk when the function returns.
 * @param mode permissions; default: only its owner can read it
 */
export function replaceFile(path: string, text: string, mode = 0o600): void {
  replaceFileLazily(path, text, mode);
  flushFolder(dirname(path));
}

/**
 * Replaces a file as {@link replaceFile} does, with half of its flushes. After a crash of the
 * machine it can have the old text, until {@link replaceFile} replaces another file of its folder.
 */
export function replaceFileLazily(path: string, text: string, mode = 0o600): void {
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeDurably(temporary, text, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Creates a file with its whole text. An existing file stays as it is, also one that another
 * process creates at the same time.
 */
export function createFileOnce(path: string, text: string): void {
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`);
  writeDurably(temporary, text);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  flushFolder(dirname(path));
}
