import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Claims something for one process by a file with its pid. A file whose process is gone counts for nothing.
 * @param pid who shall hold it, by default this process
 * @returns whether it was claimed; false when a living process holds it
 */
export function claim(file: string, pid = process.pid): boolean {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      writeFileSync(file, `${pid}\n`, { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!existsSync(file)) continue;
    const holder = Number(readFileSync(file, 'utf8'));
    if (holder > 0 && lives(holder)) return false;
    rmSync(file, { force: true });
  }
  return false;
}

/** Does work that only one process may do at a time. @throws {Error} when the lock was not to be had within the time */
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

/** Whether a process of this machine exists. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
