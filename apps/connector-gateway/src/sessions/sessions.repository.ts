import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DEFAULT_LIMITS } from '../mcp/limits.ts';
import type { SessionOwner, SessionStore, StoredSession } from '../mcp/sessions.ts';

/** Sessions in our own database. Ids are random and long; the database holds them only so that every replica finds them. */
@Injectable()
export class SessionsRepository implements SessionStore {
  constructor(private readonly dataSource: DataSource) {}

  async save({ id, issuer, subject, slug, initialize }: StoredSession): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO mcp_sessions (id, issuer, subject, slug, initialize, created_at, used_at) VALUES ($1, $2, $3, $4, $5, now(), now())`,
      [id, issuer, subject, slug, JSON.stringify(initialize)],
    );
  }

  async use(id: string, owner: SessionOwner): Promise<StoredSession | undefined> {
    const [rows] = await this.dataSource.query<[StoredSession[], number]>(
      `UPDATE mcp_sessions SET used_at = now()
       WHERE id = $1 AND issuer = $2 AND subject = $3 AND slug IS NOT DISTINCT FROM $4 AND used_at > now() - $5 * interval '1 millisecond'
       RETURNING id, issuer, subject, slug, initialize`,
      [id, owner.issuer, owner.subject, owner.slug, DEFAULT_LIMITS.sessionIdleMs],
    );
    return rows[0];
  }

  async remove(id: string): Promise<void> {
    await this.dataSource.query('DELETE FROM mcp_sessions WHERE id = $1', [id]);
  }

  async touch(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.dataSource.query('UPDATE mcp_sessions SET used_at = now() WHERE id = ANY ($1)', [ids]);
  }

  /** Drops sessions that nobody can come back to. */
  async prune(): Promise<void> {
    await this.dataSource.query(`DELETE FROM mcp_sessions WHERE used_at < now() - $1 * interval '1 millisecond'`, [
      DEFAULT_LIMITS.sessionIdleMs,
    ]);
  }
}
