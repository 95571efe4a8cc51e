import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from '@gatehouse/postgres/pid-file';

/**
 * Claims a resource for one process with a file that holds its pid. The file of an ended process
 * has no effect.
 * @param pid the holder, by default this process
 * @returns whether the claim succeeded; false while a running process has the claim
 */
export function claim(file: string, pid = process.pid): boolean {
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  // The file is linked into place with its content. Otherwise another process could read an empty
  // claim and remove it as dead.
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
    return holder > 0 && isProcessAlive(holder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Moves a dead claim away and checks it again, because another process may have replaced it. */
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
 * Runs work that only one process may do at a time.
 * @throws {Error} when the lock is not free within the time
 */
export async function withLock<T>(file: string, work: () => Promise<T>, timeoutMs = 240_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  while (!claim(file)) {
    if (Date.now() > deadline)
      throw new Error(
        `${file} is still claimed by process ${readFileSync(file, 'utf8').trim()}. Wait until that process ends, or end it.`,
      );
    await sleep(100);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
