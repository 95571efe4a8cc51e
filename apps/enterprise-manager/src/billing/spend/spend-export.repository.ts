import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { openHoldableCursor, type HoldableCursor } from '../../database/holdable-cursor.ts';
import { buildSpendSql, type SpendFilter } from './rollups.ts';
import type { Dimension } from './spend.dto.ts';
import type { SpendReadPlan } from './spend-buckets.ts';

/** The parameters of an export. */
export interface ExportRequest {
  dimensions: readonly Dimension[];
  filter: SpendFilter;
  plan: SpendReadPlan;
}

/** A row of an export: the first day of its bucket, a key for each dimension, and the sums. */
export interface ExportRow {
  bucket: string;
  keys: string[];
  charge_count: string;
  charged_usd: string;
}

/**
 * The maximum time of an export. An export of one year and ten thousand users takes about ten
 * seconds.
 */
const TIMEOUT_MS = 120_000;

const COLUMNS: Record<Dimension, string> = { user: 'auth_subject', model: 'model', provider: 'provider' };
/**
 * Rows of exports, from the sums by day and from charges where a bucket does not begin at midnight
 * in UTC.
 */
@Injectable()
export class SpendExportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Reads the rows of an export in one statement, sorted by bucket, descending amount and key. */
  openRows({ dimensions, filter, plan }: ExportRequest): Promise<HoldableCursor<ExportRow>> {
    const params: unknown[] = [];
    const bind = (value: unknown) => `$${params.push(value)}`;
    const keys = dimensions.map((dimension) => COLUMNS[dimension]);
    const spend = buildSpendSql(filter, plan, keys, bind);
    const text = `
      SELECT bucket::text AS bucket, ARRAY[${keys.join(', ')}]::text[] AS keys, charge_count::text AS charge_count, charged_usd::text AS charged_usd
      FROM (
        SELECT bucket, ${keys.join(', ')}, sum(charge_count) AS charge_count, sum(charged_usd) AS charged_usd
        FROM ${spend} GROUP BY bucket, ${keys.join(', ')} HAVING sum(charge_count) > 0) AS sums
      ORDER BY sums.bucket, sums.charged_usd DESC, ${keys.map((key) => `sums.${key} COLLATE "C"`).join(', ')}`;
    return openHoldableCursor<ExportRow>(this.dataSource, text, params, TIMEOUT_MS);
  }
}
