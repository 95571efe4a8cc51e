import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StateBusyError, StateUnusableError } from './state-errors.ts';
import { WriteQueue } from './write-queue.ts';

const SCHEMA_VERSION = 1;
/**
 * `versions` has one row: the last version, the last compacted version, and the rules that the
 * files were checked by. `revisions` has every state of every resource until it is compacted.
 * `files` has the file of each resource and the SHA-256 of the text that was taken from it.
 */
const SCHEMA = `
  CREATE TABLE versions (id INTEGER PRIMARY KEY CHECK (id = 1), latest INTEGER NOT NULL,
    compacted INTEGER NOT NULL, rules TEXT NOT NULL) STRICT;
  CREATE TABLE revisions (version INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,
    is_deleted INTEGER NOT NULL, written_at INTEGER NOT NULL, resource TEXT NOT NULL) STRICT;
  CREATE UNIQUE INDEX revisions_by_name ON revisions (kind, name, version);
  CREATE TABLE files (kind TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (kind, name)) STRICT, WITHOUT ROWID;
  CREATE INDEX files_by_file ON files (file);
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** The time for which SQLite itself waits for a lock, which blocks the process. */
const BLOCKING_WAIT_MS = 10;
const OPENING_WAIT_MS = 5_000;

/**
 * The SQLite database of one folder. Its write lock is the lock of the folder for all processes:
 * the kernel releases it when a process ends in any way, and never while its process is stopped.
 */
export class StateDatabase {
  private readonly statements = new Map<string, StatementSync>();
  private readonly writes = new WriteQueue({
    transact: (work) => this.run('BEGIN IMMEDIATE', work),
    runPart: (work) => this.runPart(work),
  });

  private constructor(
    private readonly database: DatabaseSync,
    private readonly path: string,
    private readonly inode: number,
  ) {}

  /**
   * Opens the database and creates it if missing.
   * @param firstVersion of a new database. It grows with time, so that versions also grow when the
   * state was removed.
   * @throws StateUnusableError
   */
  static open(path: string, firstVersion: number): StateDatabase {
    try {
      createFolder(dirname(path));
      const database = new DatabaseSync(path, { timeout: OPENING_WAIT_MS });
      try {
        prepareSchema(database, firstVersion);
        database.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT_MS}`);
        return new StateDatabase(database, path, statSync(path).ino);
      } catch (error) {
        database.close();
        throw error;
      }
    } catch (cause) {
      throw new StateUnusableError(path, cause);
    }
  }

  /** Whether the file at the path is still the open one. It is not when the state was removed. */
  isCurrent(): boolean {
    return statSync(this.path, { throwIfNoEntry: false })?.ino === this.inode;
  }

  prepare(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }

  /** Runs work on one consistent state. @throws StateUnusableError */
  read<T>(work: () => T): T {
    return this.run('BEGIN', work);
  }

  /**
   * Runs work while no other process writes to the folder. Its changes of the state happen
   * completely or, when it throws, not at all.
   * @throws StateBusyError after 10 s, StateUnusableError, the error of the work, or the reason of
   * the signal
   */
  write<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    return this.writes.add(work, signal);
  }

  close(): void {
    this.database.close();
  }

  private run<T>(begin: string, work: () => T): T {
    this.execute(begin);
    try {
      const result = work();
      this.execute('COMMIT');
      return result;
    } catch (error) {
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
  }

  private runPart<T>(work: () => T): PromiseSettledResult<T> {
    this.execute('SAVEPOINT part');
    try {
      const value = work();
      this.execute('RELEASE part');
      return { status: 'fulfilled', value };
    } catch (reason) {
      if (!this.database.isTransaction) throw reason;
      this.execute('ROLLBACK TO part; RELEASE part');
      return { status: 'rejected', reason };
    }
  }

  private execute(sql: string): void {
    try {
      this.database.exec(sql);
    } catch (error) {
      throw isBusy(error) ? new StateBusyError(this.path, error) : new StateUnusableError(this.path, error);
    }
  }
}

/** Creates the folder of the database, but not the folder around it, which may be unmounted. */
function createFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function prepareSchema(database: DatabaseSync, firstVersion: number): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > SCHEMA_VERSION) throw new Error('a newer release of Gatehouse wrote it');
  if (version === 0) {
    database.exec(SCHEMA);
    database.prepare("INSERT INTO versions VALUES (1, ?, ?, '')").run(firstVersion, firstVersion);
  }
  database.exec('COMMIT');
}

/** SQLITE_BUSY is 5. The higher bits of the code say in which situation. */
const isBusy = (error: unknown): boolean => ((error as { errcode?: number }).errcode ?? 0) % 256 === 5;
