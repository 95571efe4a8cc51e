import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import type { DataSource } from 'typeorm';

/**
 * A table whose rows contain one sealed value each, in the columns `key_version`, `wrapped_key` and
 * `ciphertext`, with the primary key `id`. The names become part of SQL: they are constants in the
 * code and never come from a request.
 */
export interface SealedTable {
  readonly table: string;
  readonly idType: 'uuid' | 'text';
  /** The columns besides `id` from which the encryption context is made. */
  readonly contextColumns: readonly string[];
  /** The encryption context of a row. */
  getContext(row: SealedTableRow): string;
}

/** The columns that rewrapping reads: the sealed value, `id` and the context columns. */
export type SealedTableRow = SealedValue & { id: string; readonly [column: string]: unknown };

/** The number of values that a version of the key-encryption key wraps. */
interface VersionCount {
  version: number;
  values: number;
}

/** The registry of all tables with sealed values. Each module registers its own table. */
export class SealedTables {
  private readonly tables = new Map<string, SealedTable>();

  constructor(private readonly dataSource: DataSource) {}

  register(table: SealedTable): void {
    this.tables.set(table.table, table);
  }

  list(): readonly SealedTable[] {
    return [...this.tables.values()];
  }

  /** Counts the values of all tables by version. */
  async countByVersion(): Promise<VersionCount[]> {
    const parts = this.list().map(({ table }) => `SELECT key_version FROM ${table}`);
    if (parts.length === 0) return [];
    return this.dataSource.query(
      `SELECT key_version AS version, count(*)::integer AS values FROM (${parts.join(' UNION ALL ')}) AS sealed
       GROUP BY key_version ORDER BY key_version`,
    );
  }
}
