/** Sessions in memory. A session expires after a time without an open request or stream. */

/** A session as the store needs it. */
export interface StoredSession {
  readonly id: string;
  /** The owner. Other subjects cannot see that the session exists. */
  readonly subject: string;
  /** Number of open requests and streams. */
  inFlight: number;
}

interface Entry<Session> {
  session: Session;
  usedAt: number;
}

/** Keeps at most `max` sessions. */
export class SessionStore<Session extends StoredSession> {
  private readonly entries = new Map<string, Entry<Session>>();
  private readonly ttlMs: number;
  private readonly max: number;
  private readonly now: () => number;
  private readonly onEnd: (session: Session, reason: 'expired' | 'evicted') => void;

  /** `onEnd` is called for expired and evicted sessions, not for deleted ones. */
  constructor(options: {
    ttlMs: number;
    max: number;
    now: () => number;
    onEnd?: (session: Session, reason: 'expired' | 'evicted') => void;
  }) {
    this.ttlMs = options.ttlMs;
    this.max = options.max;
    this.now = options.now;
    this.onEnd = options.onEnd ?? (() => undefined);
  }

  get size(): number {
    return this.entries.size;
  }

  /**
   * Returns a session of the subject and marks it as used; undefined when it is unknown, expired or
   * of another subject.
   */
  use(id: string, subject: string): Session | undefined {
    const entry = this.entries.get(id);
    if (entry === undefined || entry.session.subject !== subject) return undefined;
    if (this.isExpired(entry)) {
      this.end(entry, 'expired');
      return undefined;
    }
    entry.usedAt = this.now();
    return entry.session;
  }

  /**
   * Adds a session. A full store evicts the least recently used session; it returns false when all
   * sessions are in use.
   */
  add(session: Session): boolean {
    if (this.entries.size >= this.max && !this.evictOldest()) return false;
    this.entries.set(session.id, { session, usedAt: this.now() });
    return true;
  }

  /** Marks a session as used now. */
  touch(session: Session): void {
    const entry = this.entries.get(session.id);
    if (entry !== undefined) entry.usedAt = this.now();
  }

  /** Removes a session. */
  delete(id: string): void {
    this.entries.delete(id);
  }

  /** Ends expired sessions. Call it periodically. */
  sweep(): void {
    for (const entry of [...this.entries.values()]) if (this.isExpired(entry)) this.end(entry, 'expired');
  }

  /** Returns all sessions. */
  listSessions(): Session[] {
    return [...this.entries.values()].map(({ session }) => session);
  }

  private isExpired({ session, usedAt }: Entry<Session>): boolean {
    return session.inFlight === 0 && this.now() - usedAt >= this.ttlMs;
  }

  private evictOldest(): boolean {
    let oldest: Entry<Session> | undefined;
    for (const entry of this.entries.values()) {
      if (entry.session.inFlight === 0 && (oldest === undefined || entry.usedAt < oldest.usedAt)) oldest = entry;
    }
    if (oldest !== undefined) this.end(oldest, 'evicted');
    return oldest !== undefined;
  }

  private end(entry: Entry<Session>, reason: 'expired' | 'evicted'): void {
    this.entries.delete(entry.session.id);
    this.onEnd(entry.session, reason);
  }
}
