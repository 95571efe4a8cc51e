import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { heldRows, type HeldRows } from '../../database/held-rows.ts';
import { cutSpend, type SpendFilter } from './rollups.ts';
import type { Dimension } from './spend.dto.ts';
import type { SpendCut } from './spend-buckets.ts';

/** What one export asks for. */
export interface ExportRequest {
  dimensions: readonly Dimension[];
  filter: SpendFilter;
  cut: SpendCut;
}

/** A row of an export: the first day of its bucket, a key for each dimension, and the sums. */
export interface ExportRow {
  bucket: string;
  keys: string[];
  charge_count: string;
  charged_usd: string;
}

/**
 * Longest time for one export; the statements of an export over a year of ten thousand people take
 * some ten seconds.
 */
const TIMEOUT_MS = 120_000;

const COLUMNS: Record<Dimension, string> = { user: 'auth_subject', model: 'model', provider: 'provider' };
/**
 * Exports out of the sums by day, and of charges at the edges of buckets that are no days of UTC.
 */
@Injectable()
export class SpendExportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The rows of an export, all of one moment: by bucket, then the greatest first, then by key. */
  rows({ dimensions, filter, cut }: ExportRequest): Promise<HeldRows<ExportRow>> {
    const params: unknown[] = [];
    const bind = (value: unknown) => `$${params.push(value)}`;
    const keys = dimensions.map((dimension) => COLUMNS[dimension]);
    const spend = cutSpend(filter, cut, keys, bind);
    const text = `
      SELECT bucket::text AS bucket, ARRAY[${keys.join(', ')}]::text[] AS keys, charge_count::text AS charge_count, charged_usd::text AS charged_usd
      FROM (
        SELECT bucket, ${keys.join(', ')}, sum(charge_count) AS charge_count, sum(charged_usd) AS charged_usd
        FROM ${spend} GROUP BY bucket, ${keys.join(', ')} HAVING sum(charge_count) > 0) AS sums
      ORDER BY sums.bucket, sums.charged_usd DESC, ${keys.map((key) => `sums.${key} COLLATE "C"`).join(', ')}`;
    return heldRows<ExportRow>(this.dataSource, text, params, TIMEOUT_MS);
  }
}
