import { inTransaction } from '@gatehouse/database/transaction';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { DEFAULT_LIMITS } from '../mcp/ports/limits.ts';
import { readClientFacts } from './client-facts.ts';
import {
  type ReadState,
  type SessionLimits,
  type SessionOwner,
  type SessionStore,
  type StoredSession,
  TooManySessionsError,
} from '../mcp/ports/session-store.ts';

const END_SESSIONS = 'UPDATE mcp_sessions SET ended_at = now(), changed_at = now() WHERE id = ANY ($1)';

/** Time for which an ended session stays, so that every replica sees its end. */
const KEEP_ENDED_MS = 60_000;

/** Stores sessions in the gateway's database, for all replicas. */
@Injectable()
export class SessionsRepository implements SessionStore {
  constructor(private readonly dataSource: DataSource) {}

  save(session: StoredSession, { most, idleMs, isOfEndpoint }: SessionLimits): Promise<readonly string[]> {
    const { id, issuer, subject, userId, slug, mode, initialize } = session;
    const { clientName, clientVersion, revision } = readClientFacts(initialize);
    return inTransaction(this.dataSource, async (manager) => {
      // Serializes the sessions of a user, so that the count holds over all replicas.
      await manager.query(
        `SELECT pg_advisory_xact_lock(hashtextextended('mcp_sessions' || chr(31) || $1 || chr(31) || $2, 0))`,
        [issuer, subject],
      );
      const own = await manager.query<{ id: string; idle_ms: string }[]>(
        `SELECT id, extract(epoch FROM clock_timestamp() - used_at) * 1000 AS idle_ms FROM mcp_sessions
         WHERE issuer = $1 AND subject = $2 AND used_at > now() - $3 * interval '1 millisecond'
           AND ended_at IS NULL AND ($4::text IS NULL OR slug = $4) ORDER BY used_at, id`,
        [issuer, subject, DEFAULT_LIMITS.sessionIdleMs, isOfEndpoint ? slug : null],
      );
      const surplus = own.slice(0, Math.max(0, own.length + 1 - most));
      if (surplus.some((other) => Number(other.idle_ms) < idleMs)) throw new TooManySessionsError(most);
      const ended = surplus.map((other) => other.id);
      if (ended.length > 0) await manager.query(END_SESSIONS, [ended]);
      await manager.query(
        `INSERT INTO mcp_sessions (id, public_id, issuer, subject, user_id, slug, mode, initialize, client_name, client_version, revision, created_at, used_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, clock_timestamp(), clock_timestamp())`,
        [
          id,
          randomUUID(),
          issuer,
          subject,
          userId,
          slug,
          mode,
          JSON.stringify(initialize),
          clientName,
          clientVersion,
          revision,
        ],
      );
      return ended;
    });
  }

  async use(id: string, owner: SessionOwner): Promise<StoredSession | undefined> {
    const [rows] = await this.dataSource.query<[StoredSession[], number]>(
      `UPDATE mcp_sessions SET used_at = now()
       WHERE id = $1 AND issuer = $2 AND subject = $3 AND slug IS NOT DISTINCT FROM $4 AND used_at > now() - $5 * interval '1 millisecond'
         AND mode IS NOT DISTINCT FROM $6 AND ended_at IS NULL
       RETURNING id, issuer, subject, user_id AS "userId", slug, mode, initialize, log_level AS "logLevel", subscriptions`,
      [id, owner.issuer, owner.subject, owner.slug, DEFAULT_LIMITS.sessionIdleMs, owner.mode],
    );
    return rows[0];
  }

  async remove(id: string): Promise<void> {
    await this.dataSource.query(END_SESSIONS, [[id]]);
  }

  async touch(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.dataSource.query('UPDATE mcp_sessions SET used_at = now() WHERE id = ANY ($1)', [ids]);
  }

  findStates(ids: readonly string[], changedMs: number): Promise<readonly ReadState[]> {
    return this.dataSource.query<ReadState[]>(
      `SELECT id, log_level AS "logLevel", subscriptions, ended_at IS NOT NULL AS "isEnded" FROM mcp_sessions
       WHERE (id = ANY ($1) OR changed_at > now() - $2 * interval '1 millisecond') AND used_at > now() - $3 * interval '1 millisecond'`,
      [ids, changedMs, DEFAULT_LIMITS.sessionIdleMs],
    );
  }

  async setLogLevel(id: string, level: string): Promise<void> {
    await this.dataSource.query('UPDATE mcp_sessions SET log_level = $2, changed_at = now() WHERE id = $1', [
      id,
      level,
    ]);
  }

  async subscribe(id: string, uri: string, most: number): Promise<readonly string[] | undefined> {
    const [rows] = await this.dataSource.query<[Pick<ReadState, 'subscriptions'>[], number]>(
      `UPDATE mcp_sessions SET subscriptions = array_append(array_remove(subscriptions, $2), $2), changed_at = now()
       WHERE id = $1 AND ($2 = ANY (subscriptions) OR cardinality(subscriptions) < $3) RETURNING subscriptions`,
      [id, uri, most],
    );
    return rows[0]?.subscriptions;
  }

  async unsubscribe(id: string, uri: string): Promise<readonly string[] | undefined> {
    const [rows] = await this.dataSource.query<[Pick<ReadState, 'subscriptions'>[], number]>(
      `UPDATE mcp_sessions SET subscriptions = array_remove(subscriptions, $2), changed_at = now()
       WHERE id = $1 RETURNING subscriptions`,
      [id, uri],
    );
    return rows[0]?.subscriptions;
  }

  /** Deletes expired sessions, and ended ones that every replica has forgotten. */
  async prune(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM mcp_sessions WHERE used_at < now() - $1 * interval '1 millisecond'
         OR ended_at < now() - $2 * interval '1 millisecond'`,
      [DEFAULT_LIMITS.sessionIdleMs, KEEP_ENDED_MS],
    );
  }
}
