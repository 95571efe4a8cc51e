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

/** Keeps at most `max` sessions, and at most `maxPerSubject` of one subject. */
export class SessionStore<Session extends StoredSession> {
  private readonly entries = new Map<string, Entry<Session>>();
  private readonly ttlMs: number;
  private readonly max: number;
  private readonly maxPerSubject: number;
  /** Number of sessions of each subject that has one. */
  private readonly counts = new Map<string, number>();
  private readonly now: () => number;
  private readonly onEnd: (session: Session, reason: 'expired' | 'evicted') => void;

  /** `onEnd` is called for expired and evicted sessions, not for deleted ones. */
  constructor(options: {
    ttlMs: number;
    max: number;
    /** Default `max`. */
    maxPerSubject?: number | undefined;
    now: () => number;
    onEnd?: (session: Session, reason: 'expired' | 'evicted') => void;
  }) {
    this.ttlMs = options.ttlMs;
    this.max = options.max;
    this.maxPerSubject = options.maxPerSubject ?? options.max;
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
   * Adds a session. At a limit, it evicts the least recently used session, of the same subject at
   * the limit of a subject. It returns false when all these sessions are in use.
   */
  add(session: Session): boolean {
    const { id, subject } = session;
    if (!this.canAdd(subject)) return false;
    if (this.isFullFor(subject)) this.evict(this.findOldest(subject));
    if (this.entries.size >= this.max) this.evict(this.findOldest());
    this.delete(id);
    this.entries.set(id, { session, usedAt: this.now() });
    this.counts.set(subject, (this.counts.get(subject) ?? 0) + 1);
    return true;
  }

  /** Whether a session of a subject can be added. */
  canAdd(subject: string): boolean {
    if (this.isFullFor(subject)) return this.findOldest(subject) !== undefined;
    return this.entries.size < this.max || this.findOldest() !== undefined;
  }

  /** Marks a session as used now. */
  touch(session: Session): void {
    const entry = this.entries.get(session.id);
    if (entry !== undefined) entry.usedAt = this.now();
  }

  /** Removes a session. */
  delete(id: string): void {
    const subject = this.entries.get(id)?.session.subject;
    if (subject === undefined) return;
    this.entries.delete(id);
    const count = (this.counts.get(subject) ?? 0) - 1;
    if (count > 0) this.counts.set(subject, count);
    else this.counts.delete(subject);
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

  private isFullFor(subject: string): boolean {
    return (this.counts.get(subject) ?? 0) >= this.maxPerSubject;
  }

  /** Finds the least recently used session that is not in use, of a subject or of all. */
  private findOldest(subject?: string): Entry<Session> | undefined {
    let oldest: Entry<Session> | undefined;
    for (const entry of this.entries.values()) {
      const { session, usedAt } = entry;
      if (session.inFlight > 0 || (subject !== undefined && session.subject !== subject)) continue;
      if (oldest === undefined || usedAt < oldest.usedAt) oldest = entry;
    }
    return oldest;
  }

  private evict(entry: Entry<Session> | undefined): void {
    if (entry !== undefined) this.end(entry, 'evicted');
  }

  private end(entry: Entry<Session>, reason: 'expired' | 'evicted'): void {
    this.delete(entry.session.id);
    this.onEnd(entry.session, reason);
  }
}
