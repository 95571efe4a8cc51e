import { buildKeysetSql, type KeysetStep } from '@gatehouse/database/keyset';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DEFAULT_LIMITS } from '../mcp/ports/limits.ts';

/** A session as administrators see it; `secret` is the id that its client uses. */
export interface AdministeredSession {
  public_id: string;
  secret: string;
  issuer: string;
  subject: string;
  user_id: string | null;
  slug: string | null;
  mode: 'search' | null;
  client_name: string | null;
  client_version: string | null;
  revision: string | null;
  created_at: string;
  used_at: string;
}

/** Selects the sessions of a list; each value must be equal. */
export interface SessionFilter {
  issuer?: string | undefined;
  subject?: string | undefined;
  user_id?: string | undefined;
}

const FILTERED = ['issuer', 'subject', 'user_id'] as const;
const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const isOpen = (idleMs: string) =>
  `public_id IS NOT NULL AND ended_at IS NULL AND used_at > now() - ${idleMs} * interval '1 millisecond'`;

/** Reads and ends sessions of all users. */
@Injectable()
export class AdministeredSessionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns open sessions, newest first. */
  list(filter: SessionFilter, step: KeysetStep): Promise<AdministeredSession[]> {
    const params: unknown[] = [DEFAULT_LIMITS.sessionIdleMs];
    const conditions = FILTERED.filter((column) => filter[column] !== undefined).map(
      (column) => `${column} = $${params.push(filter[column])}`,
    );
    const { where, orderBy } = buildKeysetSql(
      step,
      [
        ['mcp_sessions.created_at', 'timestamptz'],
        ['mcp_sessions.public_id', 'uuid'],
      ],
      'descending',
      params,
    );
    return this.dataSource.query<AdministeredSession[]>(
      `SELECT public_id, id AS secret, issuer, subject, user_id, slug, mode, client_name, client_version, revision,
              to_char(created_at AT TIME ZONE 'UTC', ${ISO}) AS created_at,
              to_char(used_at AT TIME ZONE 'UTC', ${ISO}) AS used_at
       FROM mcp_sessions WHERE ${[isOpen('$1'), ...conditions, where].join(' AND ')}
       ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }

  /** Ends an open session. @returns the id of its client; undefined without such a session */
  async end(manager: EntityManager, publicId: string): Promise<string | undefined> {
    const [rows] = await manager.query<[{ id: string }[], number]>(
      `UPDATE mcp_sessions SET ended_at = now(), changed_at = now()
       WHERE public_id = $1 AND ${isOpen('$2')} RETURNING id`,
      [publicId, DEFAULT_LIMITS.sessionIdleMs],
    );
    return rows[0]?.id;
  }
}
