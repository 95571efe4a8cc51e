import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { DatabaseSync } from 'node:sqlite';
import { chmodSync, rmSync, truncateSync } from 'node:fs';
import { type HomePaths, readIfExists, replaceFile } from './home.ts';

/** Another supervisor uses this home. */
export class HomeInUseError extends GatehouseError {
  override readonly code = 'home_in_use';
  constructor(home: string, owner: string) {
    super(`The platform of ${home} already runs (${owner}). Stop it first, or set GATEHOUSE_HOME to another folder.`);
  }
}

/**
 * Locks a home for one supervisor. An open SQLite transaction holds a lock of the operating system,
 * which ends with the process. So a lock can never be stale.
 *
 * @returns a function that releases the lock
 * @throws {HomeInUseError} naming the process that holds it
 */
export function lockHome(paths: HomePaths, now: Date): () => void {
  const database = openLockDatabase(paths) ?? openRepaired(paths);
  chmodSync(paths.lockFile, 0o600);
  replaceFile(paths.ownerFile, `${JSON.stringify({ pid: process.pid, started_at: now.toISOString() })}\n`);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    // Removed under the lock, because the next owner writes its own file.
    rmSync(paths.ownerFile, { force: true });
    database.close();
  };
}

/**
 * SQLite's code for a file that is not a database. SQLite reads the content under the lock, so no
 * other process holds such a file.
 */
const SQLITE_NOTADB = 26;

/** @returns undefined when the file is damaged */
function openLockDatabase(paths: HomePaths): DatabaseSync | undefined {
  const database = new DatabaseSync(paths.lockFile);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_NOTADB) return undefined;
    throw new HomeInUseError(paths.home, describeOwner(paths));
  }
}

/** Truncates the damaged file in place, so that a concurrent start uses the same file. */
function openRepaired(paths: HomePaths): DatabaseSync {
  truncateSync(paths.lockFile);
  const database = openLockDatabase(paths);
  if (!database) throw new HomeInUseError(paths.home, describeOwner(paths));
  return database;
}

function describeOwner(paths: HomePaths): string {
  const text = readIfExists(paths.ownerFile);
  const found = /^\{"pid":(\d+),"started_at":"([^"]+)"\}$/.exec(text?.trim() ?? '');
  return found ? `process ${found[1] ?? ''}, started ${found[2] ?? ''}` : 'started a moment ago';
}
