import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a new file, readable by its owner only, and waits until the disk has it. */
export function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces a file as a whole: whoever reads sees the old text or the new one, also after a crash in
 * between.
 */
export function replaceFile(path: string, text: string): void {
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeDurably(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
