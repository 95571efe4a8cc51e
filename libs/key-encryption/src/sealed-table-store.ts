import { inTransaction } from '@gatehouse/database/transaction';
import type { BatchSelection, RewrappedRow, RewrapStore } from '@gatehouse/envelope/rewrap';
import type { DataSource, EntityManager } from 'typeorm';
import type { SealedTable, SealedTableRow } from './sealed-tables.ts';

const RETRIES = 5;

/** A sealed table as the storage of rewrapping. SQL by hand: FOR UPDATE SKIP LOCKED and unnest. */
export class SealedTableStore implements RewrapStore<SealedTableRow> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly table: SealedTable,
  ) {}

  getContext(row: SealedTableRow): string {
    return this.table.getContext(row);
  }

  updateBatch(
    selection: BatchSelection,
    rewrap: (rows: readonly SealedTableRow[]) => RewrappedRow[],
  ): Promise<readonly SealedTableRow[]> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        const rows = await this.lockRows(manager, selection);
        const rewrapped = rewrap(rows);
        if (rewrapped.length > 0) await this.storeWrappedKeys(manager, rewrapped);
        return rows;
      },
      { retries: RETRIES },
    );
  }

  private lockRows(
    manager: EntityManager,
    { belowVersion, versions, afterId, limit }: BatchSelection,
  ): Promise<SealedTableRow[]> {
    const columns = ['id', 'key_version', 'wrapped_key', 'ciphertext', ...this.table.contextColumns];
    return manager.query(
      `SELECT ${columns.join(', ')} FROM ${this.table.table}
       WHERE key_version < $1 AND key_version = ANY($2) ${afterId === undefined ? '' : 'AND id > $4'}
       ORDER BY id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
      [belowVersion, versions, limit, ...(afterId === undefined ? [] : [afterId])],
    );
  }

  private async storeWrappedKeys(manager: EntityManager, rows: readonly RewrappedRow[]): Promise<void> {
    await manager.query(
      `UPDATE ${this.table.table} AS held SET key_version = fresh.key_version, wrapped_key = fresh.wrapped_key
       FROM unnest($1::${this.table.idType}[], $2::integer[], $3::bytea[]) AS fresh (id, key_version, wrapped_key)
       WHERE held.id = fresh.id`,
      [
        rows.map(({ id }) => id),
        rows.map(({ key_version }) => key_version),
        rows.map(({ wrapped_key }) => wrapped_key),
      ],
    );
  }
}
