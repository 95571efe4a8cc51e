import type { Server } from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import { sessionOwner } from '../calls/forward.ts';
import type { Scope } from '../catalogue/offers.ts';
import { type Plane } from '../calls/plane.ts';
import { personKey } from '../access/directory-view.ts';
import { createGatewayServer } from '../calls/server.ts';
import type { SessionOwner, SessionStore, StoredSession } from '../ports/session-store.ts';
import { SessionTransport } from '../http/session-transport.ts';

/** A session that this process holds open. */
export interface LiveSession {
  server: Server;
  transport: SessionTransport;
  usedAt: number;
  /** Requests and streams being served. */
  open: number;
}

/**
 * Sessions of the protocol revisions that have them. A session belongs to one person at one
 * endpoint: to everybody else its id means nothing. Any replica can serve any session; what is
 * bound to one replica is only its open stream.
 */
export class Sessions {
  private readonly live = new Map<string, LiveSession>();
  /** The last session of each person that is being stored. */
  private readonly saving = new Map<string, Promise<unknown>>();

  constructor(
    private readonly plane: Plane,
    private readonly store: SessionStore,
  ) {}

  /**
   * Begins a session. It is stored before the client learns its id.
   * @throws TooManySessionsError
   */
  async begin(owner: SessionOwner, initialize: Record<string, unknown>): Promise<{ id: string; session: LiveSession }> {
    const id = randomBytes(32).toString('base64url');
    const session = await this.start(id, { slug: owner.slug ?? undefined });
    const ended = await this.save({ id, ...owner, initialize }).catch(async (error: unknown) => {
      await session.server.close();
      throw error;
    });
    session.server.onclose = () => this.forget(id);
    this.live.set(id, session);
    await Promise.all(ended.map((other) => this.letGo(other)));
    return { id, session };
  }

  /**
   * The session with this id, if it is this person's at this endpoint; taken over from another
   * replica or an earlier process if need be.
   */
  async find(id: string, owner: SessionOwner): Promise<LiveSession | undefined> {
    const stored = await this.store.use(id, owner);
    if (stored === undefined) return undefined;
    const session = this.live.get(id) ?? (await this.resume(stored));
    session.usedAt = this.plane.now().getTime();
    return session;
  }

  /** Ends a session everywhere. */
  async end(id: string): Promise<void> {
    await this.store.remove(id);
    await this.letGo(id);
  }

  /** How many sessions this process holds open. */
  get size(): number {
    return this.live.size;
  }

  /**
   * Lets go of sessions that ended on another replica, and of those that were idle for long: the
   * store keeps these for as long as they may come back. A session with an open stream or a running
   * request is in use.
   */
  async sweep(): Promise<void> {
    await this.store.touch([...this.live].filter(([, { open }]) => open > 0).map(([id]) => id));
    const oldest = this.plane.now().getTime() - this.plane.limits.sessionIdleMs;
    const held = [...this.live.keys()];
    const existing = new Set(await this.store.existing(held));
    for (const id of held) {
      const session = this.live.get(id);
      if (session === undefined) continue;
      if (!existing.has(id) || (session.open === 0 && session.usedAt < oldest)) await this.letGo(id);
    }
  }

  async close(): Promise<void> {
    const all = [...this.live.values()];
    this.live.clear();
    await Promise.allSettled(all.map((session) => session.server.close()));
  }

  /**
   * The store takes the sessions of a person one after the other, so one person occupies one
   * connection to the database.
   */
  private save(session: StoredSession): Promise<readonly string[]> {
    const { sessionsPerPerson: most, sessionInUseMs: idleMs } = this.plane.limits;
    const key = personKey(session);
    const saved = (this.saving.get(key) ?? Promise.resolve()).then(() => this.store.save(session, { most, idleMs }));
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

  private async letGo(id: string): Promise<void> {
    await this.live.get(id)?.server.close();
    this.forget(id);
  }

  private forget(id: string): void {
    this.live.delete(id);
    this.plane.upstreams.release(sessionOwner(id));
  }

  private async start(id: string, scope: Scope): Promise<LiveSession> {
    const transport = new SessionTransport({
      sessionIdGenerator: () => id,
      maxRequestBodySize: this.plane.limits.requestBytes,
    });
    const server = createGatewayServer(this.plane, scope);
    await server.connect(transport);
    return { server, transport, usedAt: this.plane.now().getTime(), open: 0 };
  }

  /** Opens a stored session again by giving it the `initialize` request that once began it. */
  private async resume(stored: StoredSession): Promise<LiveSession> {
    const session = await this.start(stored.id, { slug: stored.slug ?? undefined });
    await replay(session, stored.initialize);
    await replay(session, { jsonrpc: '2.0', method: 'notifications/initialized' }, stored.id);
    const meanwhile = this.live.get(stored.id);
    if (meanwhile !== undefined) {
      await session.server.close();
      return meanwhile;
    }
    session.server.onclose = () => this.forget(stored.id);
    this.live.set(stored.id, session);
    return session;
  }
}

async function replay({ transport }: LiveSession, message: Record<string, unknown>, sessionId?: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
  };
  const request = new Request('http://session.invalid/', { method: 'POST', headers });
  const answer = await transport.handleRequest(request, { parsedBody: message });
  await answer.text();
}
