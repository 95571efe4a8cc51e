import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ChainPosition } from '../chains/chain-heads.repository.ts';
import { RECORD_COLUMNS, type RecordRow } from '../records/tool-calls.repository.ts';

/** Selects the exported records. `start` (inclusive) and `end` (exclusive) are times of calls. */
export interface ExportFilter {
  gateway_id: string;
  environment?: string | undefined;
  user_id?: string | undefined;
  /** Ids of the visible connectors; undefined for all, including records without a connector. */
  visible?: readonly string[] | undefined;
  start?: string | undefined;
  end?: string | undefined;
}

/** The last position that a page with a filter reads, and whether records may follow it. */
export interface ExportBound {
  position: ChainPosition;
  hasMore: boolean;
}

/** A record with its position; hashes in hexadecimal. */
export interface ExportRow extends RecordRow, ChainPosition {
  prev_hash: string;
  record_hash: string;
}

/** Maximum number of records that a page with a filter reads, so that it is answered in time. */
const MAX_READ = 10_000;

/** The bound on the time is redundant, but only by it Postgres prunes partitions. */
const AFTER =
  'gateway_id = $1 AND arrived_at >= $2::timestamptz AND (arrived_at, sequence) > ($2::timestamptz, $3::bigint)';

/** Reads records in the order of their arrival. */
@Injectable()
export class ToolCallExportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Reads the records after a position that match a filter, in their order.
   * @param until the last position to read; undefined for all
   * @returns one record more than the limit if there are more
   */
  async read(
    filter: ExportFilter,
    after: ChainPosition,
    until: ChainPosition | undefined,
    limit: number,
  ): Promise<ExportRow[]> {
    const params: unknown[] = [filter.gateway_id, after.arrived_at, after.sequence];
    const conditions = [AFTER];
    if (filter.environment !== undefined) conditions.push(`environment = $${params.push(filter.environment)}`);
    if (filter.user_id !== undefined) conditions.push(`user_id = $${params.push(filter.user_id)}::uuid`);
    if (filter.visible !== undefined) conditions.push(`connector_id = ANY ($${params.push(filter.visible)}::uuid[])`);
    if (filter.start !== undefined) conditions.push(`occurred_at >= $${params.push(filter.start)}::timestamptz`);
    if (filter.end !== undefined) conditions.push(`occurred_at < $${params.push(filter.end)}::timestamptz`);
    if (until) {
      const time = `$${params.push(until.arrived_at)}::timestamptz`;
      const sequence = `$${params.push(until.sequence)}::bigint`;
      conditions.push(`arrived_at <= ${time}`, `(arrived_at, sequence) <= (${time}, ${sequence})`);
    }
    const rows: (Omit<ExportRow, 'sequence'> & { sequence: string })[] = await this.dataSource.query(
      `SELECT ${RECORD_COLUMNS}, arrived_at, sequence, encode(prev_hash, 'hex') AS prev_hash, encode(record_hash, 'hex') AS record_hash
       FROM tool_calls WHERE ${conditions.join(' AND ')} ORDER BY arrived_at, sequence LIMIT $${params.push(limit + 1)}`,
      params,
    );
    return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
  }

  /** Finds the last position of a page after a position; undefined without later records. */
  async findBound(gatewayId: string, after: ChainPosition): Promise<ExportBound | undefined> {
    const rows: { arrived_at: string; sequence: string; looked: string }[] = await this.dataSource.query(
      `SELECT arrived_at, sequence, looked FROM (
         SELECT arrived_at, sequence, row_number() OVER (ORDER BY arrived_at, sequence) AS looked FROM (
           SELECT arrived_at, sequence FROM tool_calls WHERE ${AFTER} ORDER BY arrived_at, sequence LIMIT ${MAX_READ}) AS next) AS numbered
       ORDER BY looked DESC LIMIT 1`,
      [gatewayId, after.arrived_at, after.sequence],
    );
    const [row] = rows;
    return (
      row && {
        position: { arrived_at: row.arrived_at, sequence: Number(row.sequence) },
        hasMore: Number(row.looked) === MAX_READ,
      }
    );
  }
}
