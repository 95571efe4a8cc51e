import { buildKeysetSql, type KeysetStep } from '@gatehouse/database/keyset';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PINS_CHANNEL } from '../tool-pins/pins-channel.ts';

/** A status of a change. */
export type ToolChangeStatus = 'pending' | 'accepted' | 'rejected';

/** A changed or new definition, with the one that it replaces. */
export interface StoredToolChange {
  id: string;
  connector_id: string;
  tool: string;
  hash: string;
  status: ToolChangeStatus;
  /** Canonical JSON; null if it is too large to be stored. */
  definition: string | null;
  definition_bytes: number;
  /** Null for a tool without an accepted definition. */
  replaced_id: string | null;
  replaced_definition: string | null;
  superseded: number;
  first_seen_at: string;
  last_seen_at: string;
  decided_at: string | null;
  decided_issuer: string | null;
  decided_subject: string | null;
}

/** Selects the changes of a list; each value must be equal. */
export interface ToolChangeFilter {
  status?: ToolChangeStatus | undefined;
  connector_id?: string | undefined;
}

const FILTERED = ['status', 'connector_id'] as const;

const formatTime = (column: string) =>
  `to_char(c.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`;

const SELECT_CHANGES = `
  SELECT c.id, c.connector_id, c.tool, c.hash, c.status, c.definition, c.definition_bytes, c.replaced_id,
    r.definition AS replaced_definition, c.superseded, c.decided_issuer, c.decided_subject,
    ${['first_seen_at', 'last_seen_at', 'decided_at'].map(formatTime).join(', ')}
  FROM tool_definitions c LEFT JOIN tool_definitions r ON r.id = c.replaced_id
  WHERE c.status <> 'baseline'`;

/** Reads the changes of tools, and stores decisions about them. */
@Injectable()
export class ToolChangesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns changes, newest first. */
  list(filter: ToolChangeFilter, step: KeysetStep): Promise<StoredToolChange[]> {
    const params: unknown[] = [];
    const conditions = FILTERED.filter((column) => filter[column] !== undefined).map(
      (column) => `c.${column} = $${params.push(filter[column])}`,
    );
    const { where, orderBy } = buildKeysetSql(
      step,
      [
        ['c.first_seen_at', 'timestamptz'],
        ['c.id', 'uuid'],
      ],
      'descending',
      params,
    );
    return this.dataSource.query<StoredToolChange[]>(
      `${SELECT_CHANGES} AND ${[...conditions, where].join(' AND ')} ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }

  /** Locks a change until the transaction ends. @returns undefined without such a change */
  async lock(manager: EntityManager, id: string): Promise<StoredToolChange | undefined> {
    const [change] = await manager.query<StoredToolChange[]>(`${SELECT_CHANGES} AND c.id = $1 FOR UPDATE OF c`, [id]);
    return change;
  }

  /** Stores a decision, and notifies all replicas. */
  async decide(
    manager: EntityManager,
    { id, connector_id }: Pick<StoredToolChange, 'id' | 'connector_id'>,
    status: Exclude<ToolChangeStatus, 'pending'>,
    { issuer, subject }: { issuer: string; subject: string },
  ): Promise<void> {
    await manager.query(
      `UPDATE tool_definitions SET status = $2, decided_at = clock_timestamp(), decided_issuer = $3, decided_subject = $4
       WHERE id = $1`,
      [id, status, issuer, subject],
    );
    await manager.query('SELECT pg_notify($1, $2)', [PINS_CHANNEL, connector_id]);
  }
}
