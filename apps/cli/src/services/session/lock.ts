import { DatabaseSync } from 'node:sqlite';
import { chmodSync, truncateSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailedError } from '../../errors/cli-error.ts';

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;
const POLL_MS = 50;
/**
 * The longest wait for the lock, in milliseconds. A refresh ends earlier, because its requests time
 * out after 15 s each.
 */
const LOCK_TIMEOUT_MS = 60_000;

/** The lock; undefined while another process holds it. */
function tryLock(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file);
  try {
    chmodSync(file, 0o600);
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    const { errcode } = error as { errcode?: number };
    // SQLite reads the content under the lock, so no other process holds a damaged file.
    if (errcode === SQLITE_NOTADB) truncateSync(file);
    else if (errcode !== SQLITE_BUSY) throw error;
    return undefined;
  }
}

/**
 * Runs `work` under a lock between processes. The operating system holds the lock through an open
 * SQLite transaction and releases it when the process ends, so a stale lock cannot exist.
 * @throws CliError when the lock is not free after a minute
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const lock = tryLock(file);
    if (lock) {
      try {
        return await work();
      } finally {
        lock.close();
      }
    }
    if (Date.now() > until) {
      throw new CommandFailedError(`another gatehouse command has been holding ${file} for a minute`);
    }
    await sleep(POLL_MS);
  }
}
