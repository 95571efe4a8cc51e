import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Place } from '../chains/chain-heads.repository.ts';
import { RECORD_COLUMNS, type RecordRow } from '../records/tool-calls.repository.ts';

/**
 * Which records an export holds. `start` is inclusive, `end` exclusive; both are about when the
 * call was.
 */
export interface ExportFilter {
  gateway_id: string;
  environment?: string | undefined;
  user_id?: string | undefined;
  /** The connectors whose records are there; undefined for all, and for records that name none. */
  visible?: readonly string[] | undefined;
  start?: string | undefined;
  end?: string | undefined;
}

/** How far one page of an export with a filter may look, and whether records may follow. */
export interface ExportBound {
  place: Place;
  more: boolean;
}

/** A record in its place, hashes in hexadecimal. */
export interface ExportRow extends RecordRow, Place {
  prev_hash: string;
  record_hash: string;
}

/**
 * Records that are looked at for one page: of those that a filter leaves out a page may hold few,
 * and it is answered soon.
 */
const LOOKED_AT = 10_000;

/**
 * The bound on the time alone says nothing new, but Postgres leaves out months by it, and not by a
 * comparison of rows.
 */
const AFTER =
  'gateway_id = $1 AND arrived_at >= $2::timestamptz AND (arrived_at, sequence) > ($2::timestamptz, $3::bigint)';

/** Records in the order in which they arrived. */
@Injectable()
export class UsageExportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The records after a place that pass a filter, in their order.
   * @param until the last place that is looked at; undefined for all
   * @returns one more than the limit where there are more
   */
  async read(filter: ExportFilter, after: Place, until: Place | undefined, limit: number): Promise<ExportRow[]> {
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

  /** How far one page may look after a place; undefined where there is no record. */
  async bound(gatewayId: string, after: Place): Promise<ExportBound | undefined> {
    const rows: { arrived_at: string; sequence: string; looked: string }[] = await this.dataSource.query(
      `SELECT arrived_at, sequence, looked FROM (
         SELECT arrived_at, sequence, row_number() OVER (ORDER BY arrived_at, sequence) AS looked FROM (
           SELECT arrived_at, sequence FROM tool_calls WHERE ${AFTER} ORDER BY arrived_at, sequence LIMIT ${LOOKED_AT}) AS next) AS numbered
       ORDER BY looked DESC LIMIT 1`,
      [gatewayId, after.arrived_at, after.sequence],
    );
    const [row] = rows;
    return (
      row && {
        place: { arrived_at: row.arrived_at, sequence: Number(row.sequence) },
        more: Number(row.looked) === LOOKED_AT,
      }
    );
  }
}
