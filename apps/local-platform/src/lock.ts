import { DatabaseSync } from 'node:sqlite';
import { chmodSync } from 'node:fs';
import { type HomePaths, readIfThere, replaceFile } from './home.ts';

/** Another supervisor runs this home. */
export class HomeInUse extends Error {
  constructor(home: string, owner: string) {
    super(`The platform of ${home} already runs (${owner}). Stop it first, or set GATEHOUSE_HOME to another folder.`);
  }
}

/**
 * Makes sure that one supervisor runs a home. The lock is one of the operating system, held through an open SQLite transaction: it ends
 * with the process, however that ends, so there is no stale lock to guess about.
 *
 * @returns releases the lock
 * @throws {HomeInUse} naming the process that holds it
 */
export function lockHome(paths: HomePaths, now: Date): () => void {
  const database = new DatabaseSync(paths.lockFile);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new HomeInUse(paths.home, ownerOf(paths));
  }
  chmodSync(paths.lockFile, 0o600);
  replaceFile(paths.ownerFile, `${JSON.stringify({ pid: process.pid, started_at: now.toISOString() })}\n`);
  return () => database.close();
}

function ownerOf(paths: HomePaths): string {
  const text = readIfThere(paths.ownerFile);
  if (text === undefined) return 'started a moment ago';
  const { pid, started_at } = JSON.parse(text) as { pid: number; started_at: string };
  return `process ${pid}, started ${started_at}`;
}
