import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** The part of a stored session that its client can change. */
export interface SessionState {
  id: string;
  /** Minimum severity of log messages; null: every message. */
  logLevel: string | null;
  /** The client's URIs of the resources that it subscribed to. */
  subscriptions: readonly string[];
}

/** A state as the store has it. */
export interface ReadState extends SessionState {
  /** Whether the session has ended. */
  isEnded: boolean;
}

/** A stored session, with which any replica can resume it. */
export interface StoredSession extends SessionState {
  issuer: string;
  subject: string;
  /** The user's id in the directory; null without an entry. */
  userId: string | null;
  /** The connector of a `/mcp/{slug}` endpoint; null for the aggregated one. */
  slug: string | null;
  /** The mode of the endpoint; null for all tools. */
  mode: 'search' | null;
  /** The client's `initialize` request as it was received. */
  initialize: Record<string, unknown>;
}

/** The limit of the sessions of a user. */
export interface SessionLimits {
  most: number;
  idleMs: number;
  isOfEndpoint: boolean;
}

/** Stores sessions beyond the life of a process. */
export interface SessionStore {
  /**
   * Adds a session. A user has at most `limits.most` sessions over all replicas. One more ends the
   * session with the longest idle time, if that is longer than `limits.idleMs`. With
   * `limits.isOfEndpoint`, only sessions of the same endpoint count.
   * @returns the ids of the ended sessions
   * @throws TooManySessionsError if all sessions of the user are in use
   */
  save(session: StoredSession, limits: SessionLimits): Promise<readonly string[]>;
  /**
   * The session if it belongs to this user and endpoint and has not expired; updates its last use.
   */
  use(id: string, owner: SessionOwner): Promise<StoredSession | undefined>;
  remove(id: string): Promise<void>;
  /** Marks these sessions as in use. */
  touch(ids: readonly string[]): Promise<void>;
  /**
   * @param changedMs how far back changes of other sessions count
   * @returns the sessions with these ids that still exist, and all that changed or ended lately
   */
  findStates(ids: readonly string[], changedMs: number): Promise<readonly ReadState[]>;
  setLogLevel(id: string, level: string): Promise<void>;
  /** @returns all subscriptions of the session; undefined if it would have more than `most` */
  subscribe(id: string, uri: string, most: number): Promise<readonly string[] | undefined>;
  /** @returns the remaining subscriptions of the session */
  unsubscribe(id: string, uri: string): Promise<readonly string[] | undefined>;
}

/** The user has the maximum number of sessions, and all are in use. */
export class TooManySessionsError extends GatehouseError {
  override readonly code = 'too_many_sessions';
  /** @param most the most sessions that the user may have */
  constructor(readonly most: number) {
    super(`a user has at most ${most} sessions`);
  }
}

/** The user, the endpoint and the mode of a session. */
export type SessionOwner = Pick<StoredSession, 'issuer' | 'subject' | 'slug' | 'mode'>;
