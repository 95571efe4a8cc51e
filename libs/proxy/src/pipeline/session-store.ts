/**
 * Sessions by id, in memory. They end after a time without use; one that has a request or a stream
 * open is in use.
 */

/** What a store keeps. */
export interface StoredSession {
  readonly id: string;
  /** Whose session it is: another subject must not see that it exists. */
  readonly subject: string;
  /** Requests and streams that are open now. */
  inFlight: number;
}

interface Entry<Session> {
  session: Session;
  usedAt: number;
}

/** Keeps at most `max` sessions, in order of use. */
export class SessionStore<Session extends StoredSession> {
  private readonly entries = new Map<string, Entry<Session>>();
  private readonly ttlMs: number;
  private readonly max: number;
  private readonly now: () => number;
  private readonly onEnd: (session: Session, why: 'expired' | 'crowded') => void;

  /** `onEnd` is told of sessions that the store itself drops; not of those that are deleted. */
  constructor(options: {
    ttlMs: number;
    max: number;
    now: () => number;
    onEnd?: (session: Session, why: 'expired' | 'crowded') => void;
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
   * The session of that subject, marked as used now; undefined when it is unknown, expired or
   * somebody else's.
   */
  use(id: string, subject: string): Session | undefined {
    const entry = this.entries.get(id);
    if (entry === undefined || entry.session.subject !== subject) return undefined;
    if (this.expired(entry)) {
      this.end(entry, 'expired');
      return undefined;
    }
    entry.usedAt = this.now();
    return entry.session;
  }

  /**
   * Adds a session. When the store is full, the one that was unused longest makes room; false when
   * all are in use.
   */
  add(session: Session): boolean {
    if (this.entries.size >= this.max && !this.makeRoom()) return false;
    this.entries.set(session.id, { session, usedAt: this.now() });
    return true;
  }

  /** Marks the end of a use. */
  touch(session: Session): void {
    const entry = this.entries.get(session.id);
    if (entry !== undefined) entry.usedAt = this.now();
  }

  /** Forgets a session. */
  delete(id: string): void {
    this.entries.delete(id);
  }

  /** Ends what has expired; called from time to time. */
  sweep(): void {
    for (const entry of [...this.entries.values()]) if (this.expired(entry)) this.end(entry, 'expired');
  }

  /** All sessions, for closing them. */
  all(): Session[] {
    return [...this.entries.values()].map(({ session }) => session);
  }

  private expired({ session, usedAt }: Entry<Session>): boolean {
    return session.inFlight === 0 && this.now() - usedAt >= this.ttlMs;
  }

  private makeRoom(): boolean {
    let oldest: Entry<Session> | undefined;
    for (const entry of this.entries.values()) {
      if (entry.session.inFlight === 0 && (oldest === undefined || entry.usedAt < oldest.usedAt)) oldest = entry;
    }
    if (oldest !== undefined) this.end(oldest, 'crowded');
    return oldest !== undefined;
  }

  private end(entry: Entry<Session>, why: 'expired' | 'crowded'): void {
    this.entries.delete(entry.session.id);
    this.onEnd(entry.session, why);
  }
}
