import { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { readBatches, createTextStream } from '../../database/text-stream.ts';
import { formatCsvLine } from './csv.ts';
import type { SpendExportQuery } from './spend.dto.ts';
import { type ExportRow, SpendExportRepository } from './spend-export.repository.ts';
import { splitIntoBuckets, planSpendReads } from './spend-buckets.ts';
import { type SpendWindow, getReportWindow } from './spend-window.ts';
import { getDateInZone } from './time-zone.ts';
import { UserNames } from './user-names.ts';

/** The maximum number of parallel exports of a replica: each one uses a connection of the pool. */
const MAX_PARALLEL = 2;

/** A running export. */
export interface SpendExport {
  window: SpendWindow;
  /** The file name, without quotes or spaces. */
  filename: string;
  csv: Readable;
}

/** Exports of spend as CSV for spreadsheets and ledgers. */
@Injectable()
export class SpendExportService {
  private running = 0;

  constructor(
    private readonly exports: SpendExportRepository,
    private readonly userNames: UserNames,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Starts an export. The stream uses constant memory.
   * @throws HttpError not_found when exports are not enabled, invalid unless `from` is before `to`,
   * unavailable while other exports run
   */
  async begin(query: SpendExportQuery): Promise<SpendExport> {
    if (!this.settings.SPEND_EXPORT_ENABLED)
      throw new HttpError('not_found', 'spend exports are not enabled; the operator can set SPEND_EXPORT_ENABLED');
    const window = getReportWindow(query, this.clock.now(), this.settings.USAGE_RETENTION_DAYS);
    if (this.running >= MAX_PARALLEL)
      throw new HttpError('unavailable', 'other exports are running on this replica; try again in a few seconds', {
        retryAfterMs: 5_000,
      });
    const { group_by: dimensions, granularity, model, scope, subject_id, time_zone, names } = query;
    this.running += 1;
    const release = () => void (this.running -= 1);
    try {
      const plan = planSpendReads(splitIntoBuckets(window, granularity, time_zone));
      const rows = await this.exports.openRows({ dimensions, plan, filter: { model, scope, subject_id } });
      const keys = dimensions.length === 1 ? ['group_key'] : dimensions;
      const named = names ? dimensions.indexOf('user') : -1;
      const head = ['bucket', ...keys, 'charge_count', 'charged_usd', ...(named < 0 ? [] : ['user_name'])];
      const batches =
        named < 0 ? readBatches(rows) : this.userNames.addNames(readBatches(rows), (row) => row.keys[named] ?? '');
      const csv = await createTextStream(formatCsvLine(head), batches, formatRow, release);
      const dates = `${getDateInZone(time_zone, window.from)}-${getDateInZone(time_zone, window.to)}`;
      return { window, filename: `spend-${dates}.csv`, csv };
    } catch (error) {
      release();
      throw error;
    }
  }
}

const formatRow = ({
  bucket,
  keys,
  charge_count,
  charged_usd,
  user_name,
}: ExportRow & { user_name?: string }): string =>
  formatCsvLine([bucket, ...keys, charge_count, charged_usd, ...(user_name === undefined ? [] : [user_name])]);
