/**
 * A session as every replica can read it: enough to go on with it after a restart or somewhere
 * else.
 */
export interface StoredSession {
  id: string;
  issuer: string;
  subject: string;
  /** The connector of a `/mcp/{slug}` endpoint; null for the aggregated one. */
  slug: string | null;
  /** The client's `initialize` request as it was received. */
  initialize: Record<string, unknown>;
}

/** Where sessions outlive the process. */
export interface SessionStore {
  /**
   * Adds a session. A person has at most `limits.most` sessions over all replicas. One more ends
   * the session with the longest idle time, if that time is longer than `limits.idleMs`.
   * @returns the ids of the sessions that it ended
   * @throws TooManySessionsError when all sessions of the person are in use
   */
  save(session: StoredSession, limits: { most: number; idleMs: number }): Promise<readonly string[]>;
  /** The session if it belongs to this person and endpoint and was used lately; notes the use. */
  use(id: string, owner: SessionOwner): Promise<StoredSession | undefined>;
  remove(id: string): Promise<void>;
  /** Notes that these sessions are in use. */
  touch(ids: readonly string[]): Promise<void>;
  /** @returns those of these sessions that have not ended */
  existing(ids: readonly string[]): Promise<readonly string[]>;
}

/** A person has as many sessions as a person may have, and all are in use. */
export class TooManySessionsError extends Error {
  override readonly name = 'TooManySessionsError';
}

/** The person and the endpoint that a session belongs to. */
export type SessionOwner = Pick<StoredSession, 'issuer' | 'subject' | 'slug'>;
