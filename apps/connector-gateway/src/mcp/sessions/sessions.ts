import { readValue, type RpcNotification } from '@gatehouse/mcp/json-rpc';
import { randomBytes } from 'node:crypto';
import { getUserKey } from '../access/directory-view.ts';
import { getSessionOwnerKey } from '../calls/forward.ts';
import type { Plane } from '../calls/plane.ts';
import type { SessionMessage } from '../ports/replicas.ts';
import type { SessionLimits, SessionOwner, SessionState, SessionStore, StoredSession } from '../ports/session-store.ts';
import { MAX_SUBSCRIPTIONS } from './resource-subscriptions.ts';
import { Session } from './session.ts';

/** Interval at which remembered sessions are compared with the store. */
const CHECK_MS = 500;

/** Interval at which the last use of a session is stored. */
const TOUCH_MS = 10_000;

/** Time that a comparison looks back beyond the last one, since commits are visible late. */
const CHANGES_OVERLAP_MS = 5_000;

/**
 * Sessions of the protocol revisions that have them. A session belongs to one user at one endpoint
 * and is unknown to every other user. Any replica can serve any session. A replica reads a session
 * once and remembers it. It forgets a session that ended elsewhere and takes over the changes that
 * other replicas stored: at a notification, or within 0.5 s.
 */
export class Sessions {
  private readonly remembered = new Map<string, Session>();
  /** Sessions with requests since the last comparison with the store. */
  private readonly used = new Set<string>();
  /** The latest pending save of each user. */
  private readonly saving = new Map<string, Promise<unknown>>();
  private checking: NodeJS.Timeout | undefined;
  /** Sessions that a notification named. */
  private readonly changed = new Set<string>();
  private isRefreshing = false;
  /** Number of changes of sessions that this process stored or read. */
  private changes = 0;
  private touchedAt = 0;
  private comparedAt = 0;

  constructor(
    private readonly plane: Plane,
    private readonly store: SessionStore,
  ) {}

  /** Starts to compare the remembered sessions with the store. */
  start(): void {
    this.touchedAt = this.plane.now().getTime();
    this.comparedAt = this.touchedAt;
    this.checking = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  /**
   * Begins a session. It is stored before the client gets its id.
   * @param userId the user's id in the directory; null without an entry
   * @throws TooManySessionsError
   */
  async begin(owner: SessionOwner, userId: string | null, initialize: Record<string, unknown>): Promise<Session> {
    const stored = {
      id: randomBytes(32).toString('base64url'),
      ...owner,
      userId,
      initialize,
      logLevel: null,
      subscriptions: [],
    };
    for (const ended of await this.save(stored)) this.release(ended);
    return this.remember(stored);
  }

  /**
   * The session with this id if it belongs to this user and endpoint, at once if it is in use here;
   * undefined for any other id.
   */
  find(id: string, owner: SessionOwner): Session | undefined | Promise<Session | undefined> {
    const session = this.remembered.get(id);
    const now = this.plane.now().getTime();
    return session === undefined || now - session.usedAt > this.plane.limits.sessionInUseMs / 2
      ? this.read(id, owner, now)
      : this.use(session, owner, now);
  }

  /**
   * Reads a session that was idle. From its first request on, it counts as in use for the other
   * replicas.
   */
  private async read(id: string, owner: SessionOwner, now: number): Promise<Session | undefined> {
    const before = this.changes;
    const stored = await this.store.use(id, owner);
    if (stored === undefined) return undefined;
    const session = this.remembered.get(id) ?? this.remember(stored);
    this.takeOver(stored, before);
    return this.use(session, owner, now);
  }

  private use(session: Session, owner: SessionOwner, now: number): Session | undefined {
    if (!session.isOwnedBy(owner)) return undefined;
    session.usedAt = now;
    this.used.add(session.id);
    return session;
  }

  /** Sets the minimum severity of log messages, for all replicas. */
  async setLogLevel(session: Session, level: string): Promise<void> {
    await this.store.setLogLevel(session.id, level);
    this.change(session, { logLevel: level });
  }

  /** Adds a subscription, for all replicas. @returns false if the session has the most */
  async subscribe(session: Session, uri: string): Promise<boolean> {
    const subscriptions = await this.store.subscribe(session.id, uri, MAX_SUBSCRIPTIONS);
    if (subscriptions === undefined) return false;
    this.change(session, { subscriptions });
    return true;
  }

  /** Removes a subscription, for all replicas. */
  async unsubscribe(session: Session, uri: string): Promise<void> {
    const subscriptions = (await this.store.unsubscribe(session.id, uri)) ?? [];
    this.change(session, { subscriptions });
  }

  /** Sends a message that belongs to no request to a session of this process. */
  notify(id: string, message: RpcNotification): void {
    this.remembered.get(id)?.standalone.send(message);
  }

  /** Ends a session everywhere. */
  async end(id: string): Promise<void> {
    await this.store.remove(id);
    this.release(id);
  }

  /** Whether this process remembers a session. */
  has(id: string): boolean {
    return this.remembered.has(id);
  }

  /** Receives a message of the client of a session that another replica passes on. */
  receive({ sessionId, owner, message }: SessionMessage): void {
    const session = this.remembered.get(sessionId);
    const read = readValue(message);
    if (session?.isOwnedBy(owner) !== true) return;
    if (read.kind === 'response' || read.kind === 'notification') session.receive(read.message);
  }

  /** Compares a session with the store, which another replica may have changed. */
  async refresh(id: string): Promise<void> {
    if (!this.remembered.has(id)) return;
    // Changes that arrive while the store is read share the next read.
    this.changed.add(id);
    if (this.isRefreshing) return;
    this.isRefreshing = true;
    let ids: string[] = [];
    try {
      while (this.changed.size > 0) {
        ids = [...this.changed];
        this.changed.clear();
        await this.compare(ids);
      }
    } catch (error) {
      // The next check compares the sessions again.
      for (const id of ids) this.used.add(id);
      this.plane.log.warn({ err: error }, 'changed sessions could not be read');
    } finally {
      this.isRefreshing = false;
    }
  }

  /** Number of open requests and streams of a session here; undefined if it is not remembered. */
  countOpen(id: string): number | undefined {
    return this.remembered.get(id)?.open;
  }

  /** Number of remembered sessions. */
  get size(): number {
    return this.remembered.size;
  }

  /** Keeps the streams of clients open. */
  keepAlive(): void {
    for (const session of this.remembered.values()) session.keepAlive();
  }

  /**
   * Forgets sessions that ended on another replica or were idle for long. The store keeps idle
   * sessions until they expire. A session with an open stream or a running request is in use.
   */
  async sweep(): Promise<void> {
    const oldest = this.plane.now().getTime() - this.plane.limits.sessionIdleMs;
    for (const [id, { open, usedAt }] of this.remembered) if (open === 0 && usedAt < oldest) this.release(id);
    await this.compare([...this.remembered.keys()]);
  }

  close(): void {
    clearInterval(this.checking);
    for (const session of this.remembered.values()) session.end('the gateway is stopping');
    this.remembered.clear();
  }

  private async check(): Promise<void> {
    const ids = [...this.used];
    this.used.clear();
    try {
      if (this.remembered.size > 0) await this.compare(ids);
      const now = this.plane.now().getTime();
      if (now - this.touchedAt < TOUCH_MS) return;
      const since = this.touchedAt;
      this.touchedAt = now;
      await this.store.touch(
        [...this.remembered.values()].filter(({ open, usedAt }) => open > 0 || usedAt >= since).map(({ id }) => id),
      );
    } catch (error) {
      for (const id of ids) this.used.add(id);
      this.plane.log.warn({ err: error }, 'the sessions could not be compared with the database');
    }
  }

  /** Releases those sessions that ended elsewhere, and takes changes of all sessions over. */
  private async compare(ids: readonly string[]): Promise<void> {
    const startedAt = this.plane.now().getTime();
    const before = this.changes;
    const states = await this.store.findStates(ids, startedAt - this.comparedAt + CHANGES_OVERLAP_MS);
    this.comparedAt = startedAt;
    const existing = new Set(states.filter(({ isEnded }) => !isEnded).map(({ id }) => id));
    for (const id of ids) if (!existing.has(id)) this.release(id);
    for (const state of states)
      if (state.isEnded) this.release(state.id);
      else this.takeOver(state, before);
  }

  /** Changes a session after its new state was stored. */
  private change(session: Session, state: Partial<SessionState>): void {
    session.change = this.changes += 1;
    session.update(state);
  }

  /**
   * Takes a stored state over, unless this process stored or read a newer one while it was read.
   * @param before the number of changes when the read began
   */
  private takeOver(state: SessionState, before: number): void {
    const session = this.remembered.get(state.id);
    if (session !== undefined && session.change <= before) session.update(state);
  }

  /**
   * Saves the sessions of a user one after the other, so that one user occupies one database
   * connection.
   */
  private save(session: StoredSession): Promise<readonly string[]> {
    const key = getUserKey(session);
    const saved = (this.saving.get(key) ?? Promise.resolve()).then(() =>
      this.store.save(session, this.getSessionLimits(session.slug)),
    );
    const settled = saved.then(
      () => undefined,
      () => undefined,
    );
    this.saving.set(key, settled);
    void settled.then(() => {
      if (this.saving.get(key) === settled) this.saving.delete(key);
    });
    return saved;
  }

  /** The limit of the settings, else the one that protects the gateway. */
  private getSessionLimits(slug: string | null): SessionLimits {
    const { sessionsPerUser, sessionInUseMs: idleMs } = this.plane.limits;
    const rules = this.plane.directory.getRules();
    const connector = slug === null ? undefined : rules?.findConnectorBySlug(slug);
    const limit = rules?.limits.findSessionsPerPerson(connector?.id);
    return { most: limit?.value ?? sessionsPerUser, idleMs, isOfEndpoint: limit?.connectorId !== undefined };
  }

  private remember(stored: StoredSession): Session {
    const session = new Session(stored, this.plane.now().getTime(), this.plane.streams);
    session.change = this.changes += 1;
    this.remembered.set(stored.id, session);
    return session;
  }

  /** Forgets a session that has ended, and ends its streams and requests. */
  release(id: string): void {
    this.remembered.get(id)?.end('the session has ended');
    this.remembered.delete(id);
    this.plane.upstreams.release(getSessionOwnerKey(id));
  }
}
