import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { DatabaseSync } from 'node:sqlite';
import { chmodSync, truncateSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Another process did not free a lock in time. */
export class LockTimeoutError extends GatehouseError {
  override readonly code = 'lock_timeout';
}

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;
const POLL_MS = 50;
/** The longest wait for the lock, in milliseconds. */
const LOCK_TIMEOUT_MS = 60_000;

/** The lock; undefined while another process holds it. */
function tryLock(file: string): DatabaseSync | undefined {
  // Most starts of the command line import this module and take no lock.
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  const database = new Database(file);
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
 * @throws LockTimeoutError when the lock is not free after a minute
 */
export async function withProcessLock<T>(file: string, work: () => Promise<T>): Promise<T> {
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
      throw new LockTimeoutError(`another gatehouse command has been holding ${file} for a minute`, { expose: true });
    }
    await sleep(POLL_MS);
  }
}
