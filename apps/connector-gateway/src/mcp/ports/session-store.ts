import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A stored session, with which any replica can resume it. */
export interface StoredSession {
  id: string;
  issuer: string;
  subject: string;
  /** The connector of a `/mcp/{slug}` endpoint; null for the aggregated one. */
  slug: string | null;
  /** The client's `initialize` request as it was received. */
  initialize: Record<string, unknown>;
}

/** Stores sessions beyond the life of a process. */
export interface SessionStore {
  /**
   * Adds a session. A user has at most `limits.most` sessions over all replicas. One more ends the
   * session with the longest idle time, if that is longer than `limits.idleMs`.
   * @returns the ids of the ended sessions
   * @throws TooManySessionsError if all sessions of the user are in use
   */
  save(session: StoredSession, limits: { most: number; idleMs: number }): Promise<readonly string[]>;
  /**
   * The session if it belongs to this user and endpoint and has not expired; updates its last use.
   */
  use(id: string, owner: SessionOwner): Promise<StoredSession | undefined>;
  remove(id: string): Promise<void>;
  /** Marks these sessions as in use. */
  touch(ids: readonly string[]): Promise<void>;
  /** @returns the ids of those sessions that still exist */
  findExisting(ids: readonly string[]): Promise<readonly string[]>;
}

/** The user has the maximum number of sessions, and all are in use. */
export class TooManySessionsError extends GatehouseError {
  override readonly code = 'too_many_sessions';
}

/** The user and the endpoint of a session. */
export type SessionOwner = Pick<StoredSession, 'issuer' | 'subject' | 'slug'>;
