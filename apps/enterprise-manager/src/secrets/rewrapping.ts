import { inTransaction } from '@gatehouse/database/transaction';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { KeyEncryption } from './key-encryption.ts';
import { KeyKeeper } from './key-keeper.ts';
import { type SealedRow, type SealedTable, SealedTables } from './sealed-tables.ts';

/** Values in one transaction: at 64 KiB each a few megabytes in memory. */
const BATCH = 50;
const EVERY_MS = 60_000;

/**
 * Brings every sealed value under the current key-encryption key, a few rows at a time. Rows that
 * another replica is at are passed over, a batch is one transaction, and what is left is simply
 * found again: it may be killed anywhere and run anywhere.
 */
@Injectable()
export class Rewrapping implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly encryption: KeyEncryption,
    private readonly keeper: KeyKeeper,
    private readonly tables: SealedTables,
    private readonly dataSource: DataSource,
    private readonly log: Log,
  ) {}

  /**
   * Begins a pass now, when the keys change, and once a minute: a replica that did not know the
   * newest key yet may have sealed with the one before.
   */
  onApplicationBootstrap(): void {
    this.kick();
    this.keeper.onChange(() => this.kick());
    this.timer = setInterval(() => this.kick(), EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.pass;
  }

  /** Whether this replica is at it. */
  get running(): boolean {
    return this.pass !== undefined;
  }

  /** Begins a pass unless one is running. */
  kick(): void {
    if (this.stopped || !this.encryption.available) return;
    this.pass ??= this.run()
      .catch((error: unknown) => this.log.error({ err: error }, 'sealed values could not be wrapped anew'))
      .finally(() => {
        this.pass = undefined;
      });
  }

  private async run(): Promise<void> {
    for (const table of this.tables.all()) {
      let after: string | undefined;
      let done = 0;
      do {
        const batch = await inTransaction(this.dataSource, (manager) => this.batch(manager, table, after), {
          retries: 5,
        });
        after = batch.last;
        done += batch.done;
      } while (after !== undefined && !this.stopped);
      if (done > 0)
        this.log.info(
          { table: table.table, values: done, version: this.encryption.currentVersion },
          'sealed values were wrapped anew',
        );
    }
  }

  /**
   * One batch after the row `after`.
   * @returns the last row that was looked at; undefined at the end
   */
  private async batch(
    manager: EntityManager,
    table: SealedTable,
    after: string | undefined,
  ): Promise<{ last: string | undefined; done: number }> {
    const rows: SealedRow[] = await manager.query(
      `SELECT ${['id', 'key_version', 'wrapped_key', 'ciphertext', ...table.contextColumns].join(', ')} FROM ${table.table}
       WHERE key_version < $1 AND key_version = ANY($2) ${after === undefined ? '' : 'AND id > $4'}
       ORDER BY id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
      [this.encryption.currentVersion ?? 0, this.encryption.versions, BATCH, ...(after === undefined ? [] : [after])],
    );
    const wrapped = rows.flatMap((row) => {
      try {
        return [{ id: row.id, sealed: this.encryption.rewrap(row, table.contextOf(row)) }];
      } catch (error) {
        // It stays as it is, for whoever asks for it to be told; the others do not wait for it.
        this.log.error({ err: error, table: table.table, id: row.id }, 'a sealed value could not be wrapped anew');
        return [];
      }
    });
    if (wrapped.length > 0)
      await manager.query(
        `UPDATE ${table.table} AS held SET key_version = fresh.key_version, wrapped_key = fresh.wrapped_key
         FROM unnest($1::${table.idType}[], $2::integer[], $3::bytea[]) AS fresh (id, key_version, wrapped_key)
         WHERE held.id = fresh.id`,
        [
          wrapped.map(({ id }) => id),
          wrapped.map(({ sealed }) => sealed.key_version),
          wrapped.map(({ sealed }) => sealed.wrapped_key),
        ],
      );
    return { last: rows.length < BATCH ? undefined : rows.at(-1)?.id, done: wrapped.length };
  }
}
