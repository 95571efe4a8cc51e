import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SessionMessage } from '../mcp/ports/replicas.ts';
import { IS_ALIVE, ReplicaRegistry } from './replica-registry.ts';

/** Seconds for which a message is kept for replicas that lost their connection. */
const KEPT_SECONDS = 30;

interface MessageRow {
  id: string;
  session_id: string;
  issuer: string;
  subject: string;
  slug: string | null;
  mode: 'search' | null;
  message: SessionMessage['message'];
}

/** Messages of clients for the replicas that serve their requests. */
@Injectable()
export class SessionMessagesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: ReplicaRegistry,
  ) {}

  /**
   * Sends a message to all other replicas. Without any, it does nothing. An answer is sent only if
   * another replica serves a stream of the session, on which it can have asked.
   */
  async send({ sessionId, owner: { issuer, subject, slug, mode }, message }: SessionMessage): Promise<void> {
    await this.dataSource.query(
      `WITH sent AS (
         INSERT INTO mcp_session_messages (sender_id, session_id, issuer, subject, slug, message, mode, sent_at)
         SELECT $1::uuid, $2, $3, $4, $5, $6::json, $8, clock_timestamp()
         WHERE EXISTS (SELECT FROM mcp_replicas r WHERE r.id <> $1 AND ${IS_ALIVE})
           AND ($7 OR EXISTS (SELECT FROM mcp_streams WHERE session_id = $2 AND replica_id <> $1 AND expires_at IS NULL))
         RETURNING id)
       SELECT pg_notify('mcp_session_message', id || ' ' || $2) FROM sent`,
      [this.registry.id, sessionId, issuer, subject, slug, JSON.stringify(message), 'method' in message, mode],
    );
  }

  /** The message with this id, unless this process sent it. */
  find(id: string): Promise<SessionMessage[]> {
    return this.read('id = $2', id);
  }

  /** The kept messages after this id. */
  findAfter(id: string): Promise<SessionMessage[]> {
    return this.read('id > $2', id);
  }

  /** Deletes old messages. */
  async prune(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM mcp_session_messages WHERE sent_at < clock_timestamp() - interval '${KEPT_SECONDS} seconds'`,
    );
  }

  private async read(condition: string, id: string): Promise<SessionMessage[]> {
    const rows = await this.dataSource.query<MessageRow[]>(
      `SELECT id, session_id, issuer, subject, slug, mode, message FROM mcp_session_messages
       WHERE sender_id <> $1 AND ${condition} AND sent_at > clock_timestamp() - interval '${KEPT_SECONDS} seconds' ORDER BY id`,
      [this.registry.id, id],
    );
    return rows.map(({ session_id: sessionId, issuer, subject, slug, mode, message }) => ({
      sessionId,
      owner: { issuer, subject, slug, mode },
      message,
    }));
  }
}
