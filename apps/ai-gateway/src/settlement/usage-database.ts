import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { OutboxCounts, UsageBatch } from './outbox-messages.ts';
import type { AttemptKey, UsageEvent } from './usage-event.ts';

const SCHEMA_VERSION = 1;
/** `events` wait for delivery in the order of their ids. `rejected` were refused by the manager. */
const SCHEMA = `
  CREATE TABLE events (id INTEGER PRIMARY KEY, interaction_id TEXT NOT NULL, attempt INTEGER NOT NULL,
    report TEXT NOT NULL, stored_at INTEGER NOT NULL,
    UNIQUE (interaction_id, attempt)) STRICT;
  CREATE TABLE rejected (interaction_id TEXT NOT NULL, attempt INTEGER NOT NULL,
    report TEXT NOT NULL, stored_at INTEGER NOT NULL, error TEXT NOT NULL,
    PRIMARY KEY (interaction_id, attempt)) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;
/**
 * The connection keeps the lock of the file from its first transaction to its end. The kernel
 * releases it when the process ends in any way.
 */
const SETTINGS = `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA journal_size_limit = 8388608;
`;
/** Time for the end of the process that had the file before. */
const OPENING_WAIT_MS = 1_000;
/** Free pages that the file keeps, and pages that it gives back at a time. */
const MAX_FREE_PAGES = 2_000;
const VACUUM_PAGES = 200;

/** The events of the outbox, in an SQLite file of one process. */
export class UsageDatabase {
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  private waiting = 0;
  private rejected = 0;

  /**
   * Opens the file and creates it if missing.
   * @throws an error of SQLite; `errcode` 5 when another process has the file
   */
  constructor(path: string) {
    this.database = new DatabaseSync(path, { timeout: OPENING_WAIT_MS });
    try {
      this.database.exec(SETTINGS);
      this.transact(() => this.prepareSchema());
      this.requireIntact();
    } catch (error) {
      this.database.close();
      throw error;
    }
    this.waiting = this.readNumber('SELECT COUNT(*) FROM events');
    this.rejected = this.readNumber('SELECT COUNT(*) FROM rejected');
  }

  get counts(): OutboxCounts {
    return { waiting: this.waiting, rejected: this.rejected };
  }

  /** Runs work whose changes are on the disk when it returns; when it throws, none of them is. */
  transact<T>(work: () => T): T {
    const { waiting, rejected } = this;
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.database.exec('COMMIT');
      return result;
    } catch (error) {
      [this.waiting, this.rejected] = [waiting, rejected];
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Whether an attempt has an event that is not delivered yet. */
  has({ interaction_id, attempt }: AttemptKey): boolean {
    const exists = (table: string) => `EXISTS (SELECT 1 FROM ${table} WHERE interaction_id = ? AND attempt = ?)`;
    const sql = `SELECT ${exists('events')} OR ${exists('rejected')}`;
    return this.readNumber(sql, interaction_id, attempt, interaction_id, attempt) === 1;
  }

  /** Stores an event, unless the attempt has one. @param now milliseconds */
  insert({ interaction_id, attempt, report }: UsageEvent, now: number): void {
    this.waiting += this.run(
      'INSERT OR IGNORE INTO events (interaction_id, attempt, report, stored_at) VALUES (?, ?, ?, ?)',
      interaction_id,
      attempt,
      report,
      now,
    );
  }

  /** Reads the oldest events. @returns undefined without one */
  readBatch(limit: number): UsageBatch | undefined {
    const rows = this.prepare('SELECT id, report FROM events ORDER BY id LIMIT ?').all(limit) as unknown as {
      id: number;
      report: string;
    }[];
    if (rows.length === 0) return undefined;
    return {
      ids: rows.map(({ id }) => id),
      reports: `[${rows.map(({ report }) => report).join(',')}]`,
    };
  }

  /** Keeps an event aside with the reason of the manager. */
  reject(id: number, error: string): void {
    this.rejected += this.run(
      `INSERT OR REPLACE INTO rejected SELECT interaction_id, attempt, report, stored_at, ? FROM events
       WHERE id = ?`,
      error,
      id,
    );
    this.remove(id, id);
  }

  /** Removes the events of a range of ids. */
  remove(first: number, last: number): void {
    this.waiting -= this.run('DELETE FROM events WHERE id BETWEEN ? AND ?', first, last);
  }

  /** Makes the rejected events wait again. @param now milliseconds */
  returnRejected(): void {
    this.waiting += this.run(
      `INSERT OR IGNORE INTO events (interaction_id, attempt, report, stored_at)
       SELECT interaction_id, attempt, report, stored_at FROM rejected`,
    );
    this.rejected -= this.run('DELETE FROM rejected');
  }

  /** The time at which the oldest waiting event was stored, in milliseconds. */
  readOldest(): number | undefined {
    const row = this.prepare('SELECT stored_at FROM events ORDER BY id LIMIT 1').get();
    return row?.['stored_at'] as number | undefined;
  }

  /** Gives a part of many free pages back to the file system, within a transaction. */
  shrink(): void {
    if (this.readNumber('PRAGMA freelist_count') > MAX_FREE_PAGES)
      this.database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
  }

  close(): void {
    this.database.close();
  }

  private prepareSchema(): void {
    const version = this.readNumber('PRAGMA user_version');
    if (version > SCHEMA_VERSION) throw new Error('a newer release of Gatehouse wrote it');
    if (version === 0) this.database.exec(SCHEMA);
  }

  private requireIntact(): void {
    const row = this.database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (row.quick_check !== 'ok') throw new Error(`it is damaged (${row.quick_check})`);
  }

  private readNumber(sql: string, ...values: (string | number)[]): number {
    return Number(Object.values(this.prepare(sql).get(...values) ?? {})[0] ?? 0);
  }

  /** @returns the number of changed rows */
  private run(sql: string, ...values: (string | number)[]): number {
    return Number(this.prepare(sql).run(...values).changes);
  }

  private prepare(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}
