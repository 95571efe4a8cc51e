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
   * Sends a message to all other replicas. An answer is kept only if the session has an open
   * stream, on which a replica can have asked. If that replica died, the one that takes its calls
   * over reads the answer. Another message without other replicas is dropped.
   */
  async send({ sessionId, owner: { issuer, subject, slug, mode }, message }: SessionMessage): Promise<void> {
    await this.dataSource.query(
      `WITH sent AS (
         INSERT INTO mcp_session_messages (sender_id, session_id, issuer, subject, slug, message, mode, sent_at)
         SELECT $1::uuid, $2, $3, $4, $5, $6::json, $8, clock_timestamp()
         WHERE CASE WHEN $7 THEN EXISTS (SELECT FROM mcp_replicas r WHERE r.id <> $1 AND ${IS_ALIVE})
           ELSE EXISTS (SELECT FROM mcp_streams WHERE session_id = $2 AND expires_at IS NULL) END
         RETURNING id)
       SELECT pg_notify('mcp_session_message', id || ' ' || $2) FROM sent`,
      [this.registry.id, sessionId, issuer, subject, slug, JSON.stringify(message), 'method' in message, mode],
    );
  }

  /** The message with this id, unless this process sent it. */
  find(id: string): Promise<SessionMessage[]> {
    return this.read('sender_id <> $1 AND id = $2', [this.registry.id, id]);
  }

  /** The kept messages after this id. */
  findAfter(id: string): Promise<SessionMessage[]> {
    return this.read('sender_id <> $1 AND id > $2', [this.registry.id, id]);
  }

  /** The kept messages of a session, also those that this process sent. */
  readAll(sessionId: string): Promise<SessionMessage[]> {
    return this.read('session_id = $1', [sessionId]);
  }

  /** Deletes old messages. */
  async prune(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM mcp_session_messages WHERE sent_at < clock_timestamp() - interval '${KEPT_SECONDS} seconds'`,
    );
  }

  private async read(condition: string, parameters: readonly string[]): Promise<SessionMessage[]> {
    const rows = await this.dataSource.query<MessageRow[]>(
      `SELECT id, session_id, issuer, subject, slug, mode, message FROM mcp_session_messages
       WHERE ${condition} AND sent_at > clock_timestamp() - interval '${KEPT_SECONDS} seconds' ORDER BY id`,
      [...parameters],
    );
    return rows.map(({ session_id: sessionId, issuer, subject, slug, mode, message }) => ({
      sessionId,
      owner: { issuer, subject, slug, mode },
      message,
    }));
  }
}
