import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dateOf } from '../budgets/period.ts';
import { heldRows, type HeldRows } from '../database/held-rows.ts';
import { rollupOf, type SpendFilter } from './rollups.ts';
import type { Dimension } from './spend.dto.ts';
import type { SpendWindow } from './spend-window.ts';

/** What one export asks for. */
export interface ExportRequest {
  dimensions: readonly Dimension[];
  granularity: 'day' | 'week' | 'month';
  filter: SpendFilter;
  window: SpendWindow;
}

/** A row of an export: the first day of its bucket, a key for each dimension, and the sums. */
export interface ExportRow {
  bucket: string;
  keys: string[];
  charge_count: string;
  charged_usd: string;
}

/** Longest time for one export; the statements of an export over a year of ten thousand people take some ten seconds. */
const TIMEOUT_MS = 120_000;

const COLUMNS: Record<Dimension, string> = { user: 'auth_subject', model: 'model', provider: 'provider' };
/** `date_trunc` begins weeks on Monday (ISO 8601). */
const BUCKETS = {
  day: 'day',
  week: `date_trunc('week', day::timestamp)::date`,
  month: `date_trunc('month', day::timestamp)::date`,
};

/** Exports out of the sums by day. */
@Injectable()
export class SpendExportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The rows of an export, all of one moment: by bucket, then the greatest first, then by key. */
  rows({ dimensions, granularity, filter, window }: ExportRequest): Promise<HeldRows<ExportRow>> {
    const params: unknown[] = [];
    const bind = (value: unknown) => `$${params.push(value)}`;
    const days = { from: dateOf(window.from), to: dateOf(window.to) };
    const rollup = rollupOf(filter, days, dimensions.includes('user'), bind);
    const keys = dimensions.map((dimension) => COLUMNS[dimension]);
    const text = `
      SELECT bucket::text AS bucket, ARRAY[${keys.join(', ')}]::text[] AS keys, charge_count::text AS charge_count, charged_usd::text AS charged_usd
      FROM (
        SELECT ${BUCKETS[granularity]} AS bucket, ${keys.join(', ')}, sum(charge_count) AS charge_count, sum(charged_usd) AS charged_usd
        FROM ${rollup} GROUP BY 1, ${keys.join(', ')}) AS sums
      ORDER BY sums.bucket, sums.charged_usd DESC, ${keys.map((key) => `sums.${key} COLLATE "C"`).join(', ')}`;
    return heldRows<ExportRow>(this.dataSource, text, params, TIMEOUT_MS);
  }
}
