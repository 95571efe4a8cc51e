import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processLives } from '@gatehouse/postgres/pid-file';

/**
 * Claims something for one process by a file with its pid. A file whose process is gone counts for
 * nothing.
 * @param pid who shall hold it, by default this process
 * @returns whether it was claimed; false when a living process holds it
 */
export function claim(file: string, pid = process.pid): boolean {
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  // Linked into place with its content: nobody ever reads an empty claim and takes it for a dead
  // one.
  writeFileSync(own, `${pid}\n`);
  try {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      try {
        linkSync(own, file);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      if (heldByLiving(file)) return false;
      removeDead(file, `${own}.dead`);
    }
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

function heldByLiving(file: string): boolean {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    return holder > 0 && processLives(holder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Moves a dead claim away before it is looked at again: another process may have put its own there
 * since.
 */
function removeDead(file: string, aside: string): void {
  try {
    renameSync(file, aside);
    if (heldByLiving(aside)) linkSync(aside, file);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Does work that only one process may do at a time.
 * @throws {Error} when the lock was not to be had within the time
 */
export async function withLock<T>(file: string, work: () => Promise<T>, timeoutMs = 240_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  while (!claim(file)) {
    if (Date.now() > deadline)
      throw new Error(`${file} is still held by process ${readFileSync(file, 'utf8').trim()}.`);
    await sleep(100);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
