import { DataSource, type EntityManager } from 'typeorm';
import { buildKeysetSql, type KeysetStep } from '@gatehouse/database/keyset';
import type { Stored } from '@gatehouse/database/stored';
import { AuditEventRow } from './audit-event.entity.ts';

/** Selects events for a list. `from` is inclusive, `to` exclusive. */
export interface AuditFilter {
  operation?: string | undefined;
  issuer?: string | undefined;
  subject?: string | undefined;
  object_kind?: string | undefined;
  object_id?: string | undefined;
  outcome?: string | undefined;
  request_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const EQUALITY_COLUMNS = [
  'operation',
  'issuer',
  'subject',
  'object_kind',
  'object_id',
  'outcome',
  'request_id',
] as const;

/** Stores audit events. */
export class AuditRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds an event in the transaction of `manager`. */
  async insert(manager: EntityManager, event: Stored<AuditEventRow>): Promise<void> {
    await manager.insert(AuditEventRow, event);
  }

  /** Returns events, newest first. */
  async list(filter: AuditFilter, step: KeysetStep): Promise<Stored<AuditEventRow>[]> {
    const params: unknown[] = [];
    const conditions = EQUALITY_COLUMNS.filter((column) => filter[column] !== undefined).map(
      (column) => `${column} = $${params.push(filter[column])}`,
    );
    if (filter.from !== undefined) conditions.push(`occurred_at >= $${params.push(filter.from)}::timestamptz`);
    if (filter.to !== undefined) conditions.push(`occurred_at < $${params.push(filter.to)}::timestamptz`);
    const { where, orderBy } = buildKeysetSql(
      step,
      [
        ['occurred_at', 'timestamptz'],
        ['id', 'uuid'],
      ],
      'descending',
      params,
    );
    return this.dataSource.query(
      `SELECT * FROM audit_events WHERE ${[...conditions, where].join(' AND ')}
       ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }
}
