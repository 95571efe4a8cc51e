import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SealedValue } from './envelope.ts';

/**
 * A table whose rows hold one sealed value each, in the columns `key_version`, `wrapped_key` and
 * `ciphertext`, under the primary key `id`. Names are part of SQL: they come from code, never from
 * a request.
 */
export interface SealedTable {
  readonly table: string;
  readonly idType: 'uuid' | 'text';
  /** Columns besides `id` of which the context is made. */
  readonly contextColumns: readonly string[];
  /** The context under which the row's value was sealed. */
  contextOf(row: SealedRow): string;
}

/** What is read of a row to wrap its value anew: the sealed value, `id` and the context columns. */
export type SealedRow = SealedValue & { id: string; readonly [column: string]: unknown };

/** How many values a version of the key-encryption key wraps. */
interface WrappedCount {
  version: number;
  values: number;
}

/**
 * Every table with sealed values, so that a new key-encryption key reaches all of them. Modules add
 * theirs when they are made.
 */
@Injectable()
export class SealedTables {
  private readonly tables = new Map<string, SealedTable>();

  constructor(private readonly dataSource: DataSource) {}

  add(table: SealedTable): void {
    this.tables.set(table.table, table);
  }

  all(): readonly SealedTable[] {
    return [...this.tables.values()];
  }

  /** How many values each version wraps, over all tables. */
  async counts(): Promise<WrappedCount[]> {
    const parts = this.all().map(({ table }) => `SELECT key_version FROM ${table}`);
    if (parts.length === 0) return [];
    return this.dataSource.query(
      `SELECT key_version AS version, count(*)::integer AS values FROM (${parts.join(' UNION ALL ')}) AS sealed
       GROUP BY key_version ORDER BY key_version`,
    );
  }
}
