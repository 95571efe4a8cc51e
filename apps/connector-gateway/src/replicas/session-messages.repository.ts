import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type SessionMessage, TooManyMessagesError } from '../mcp/ports/replicas.ts';
import { IS_ALIVE, ReplicaRegistry } from './replica-registry.ts';

/** Seconds for which a message is kept for replicas that lost their connection. */
const KEPT_SECONDS = 30;

/** The most kept messages and bytes of one user, over all sessions and replicas. */
const LIMITS = { messages: 256, bytes: 16 * 1024 * 1024 };

const IS_KEPT = `sent_at > clock_timestamp() - interval '${KEPT_SECONDS} seconds'`;

/** Stores a needed message within the limits of its user, and notifies the other replicas. */
const SEND = `
  WITH kept AS (
    SELECT count(*) >= ${LIMITS.messages} OR coalesce(sum(message_bytes), 0) + $9::int > ${LIMITS.bytes} AS is_full
    FROM mcp_session_messages WHERE issuer = $3 AND subject = $4 AND ${IS_KEPT}
  ), needed AS (
    SELECT CASE WHEN $7 THEN EXISTS (SELECT FROM mcp_replicas r WHERE r.id <> $1 AND ${IS_ALIVE})
      ELSE EXISTS (SELECT FROM mcp_streams WHERE session_id = $2 AND expires_at IS NULL) END AS is_needed
  ), sent AS (
    INSERT INTO mcp_session_messages
      (sender_id, session_id, issuer, subject, slug, message, mode, message_bytes, sent_at)
    SELECT $1::uuid, $2, $3, $4, $5, $6::json, $8, $9::int, clock_timestamp()
    FROM kept, needed WHERE is_needed AND NOT is_full
    RETURNING id
  )
  SELECT is_needed AND is_full AS is_refused, (SELECT pg_notify('mcp_session_message', id || ' ' || $2::text) FROM sent)
  FROM kept, needed`;

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
   * @throws TooManyMessagesError above the limits of the user
   */
  async send({ sessionId, owner: { issuer, subject, slug, mode }, message }: SessionMessage): Promise<void> {
    const json = JSON.stringify(message);
    const [sent] = await this.dataSource.query<{ is_refused: boolean }[]>(SEND, [
      this.registry.id,
      sessionId,
      issuer,
      subject,
      slug,
      json,
      'method' in message,
      mode,
      Buffer.byteLength(json),
    ]);
    if (sent?.is_refused === true) throw new TooManyMessagesError(KEPT_SECONDS);
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
    await this.dataSource.query(`DELETE FROM mcp_session_messages WHERE NOT (${IS_KEPT})`);
  }

  private async read(condition: string, parameters: readonly string[]): Promise<SessionMessage[]> {
    const rows = await this.dataSource.query<MessageRow[]>(
      `SELECT id, session_id, issuer, subject, slug, mode, message FROM mcp_session_messages
       WHERE ${condition} AND ${IS_KEPT} ORDER BY id`,
      [...parameters],
    );
    return rows.map(({ session_id: sessionId, issuer, subject, slug, mode, message }) => ({
      sessionId,
      owner: { issuer, subject, slug, mode },
      message,
    }));
  }
}
