import type { Server } from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import { getSessionOwnerKey } from '../calls/forward.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import { type Plane } from '../calls/plane.ts';
import { getUserKey } from '../access/directory-view.ts';
import { createGatewayServer } from '../calls/server.ts';
import type { SessionOwner, SessionStore, StoredSession } from '../ports/session-store.ts';
import { SessionTransport } from '../http/session-transport.ts';

/** An open session of this process. */
export interface LiveSession {
  server: Server;
  transport: SessionTransport;
  usedAt: number;
  /** Number of running requests and streams. */
  open: number;
}

/**
 * Sessions of the protocol revisions that have them. A session belongs to one user at one endpoint
 * and is unknown to every other user. Any replica can serve any session; only an open stream is
 * bound to its replica.
 */
export class Sessions {
  private readonly live = new Map<string, LiveSession>();
  /** The latest pending save of each user. */
  private readonly saving = new Map<string, Promise<unknown>>();

  constructor(
    private readonly plane: Plane,
    private readonly store: SessionStore,
  ) {}

  /** Begins a session. It is stored before the client gets its id. @throws TooManySessionsError */
  async begin(owner: SessionOwner, initialize: Record<string, unknown>): Promise<{ id: string; session: LiveSession }> {
    const id = randomBytes(32).toString('base64url');
    const session = await this.start(id, { slug: owner.slug ?? undefined });
    const ended = await this.save({ id, ...owner, initialize }).catch(async (error: unknown) => {
      await session.server.close();
      throw error;
    });
    session.server.onclose = () => this.forget(id);
    this.live.set(id, session);
    await Promise.all(ended.map((other) => this.release(other)));
    return { id, session };
  }

  /**
   * The session with this id if it belongs to this user and endpoint. A stored session of another
   * replica or an earlier process is resumed.
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
    await this.release(id);
  }

  /** Number of open sessions in this process. */
  get size(): number {
    return this.live.size;
  }

  /**
   * Closes sessions that ended on another replica or were idle for long. The store keeps idle
   * sessions until they expire. A session with an open stream or a running request is in use.
   */
  async sweep(): Promise<void> {
    await this.store.touch([...this.live].filter(([, { open }]) => open > 0).map(([id]) => id));
    const oldest = this.plane.now().getTime() - this.plane.limits.sessionIdleMs;
    const held = [...this.live.keys()];
    const existing = new Set(await this.store.findExisting(held));
    for (const id of held) {
      const session = this.live.get(id);
      if (session === undefined) continue;
      if (!existing.has(id) || (session.open === 0 && session.usedAt < oldest)) await this.release(id);
    }
  }

  async close(): Promise<void> {
    const all = [...this.live.values()];
    this.live.clear();
    await Promise.allSettled(all.map((session) => session.server.close()));
  }

  /**
   * Saves the sessions of a user one after the other, so that one user occupies one database
   * connection.
   */
  private save(session: StoredSession): Promise<readonly string[]> {
    const { sessionsPerUser: most, sessionInUseMs: idleMs } = this.plane.limits;
    const key = getUserKey(session);
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

  private async release(id: string): Promise<void> {
    await this.live.get(id)?.server.close();
    this.forget(id);
  }

  private forget(id: string): void {
    this.live.delete(id);
    this.plane.upstreams.release(getSessionOwnerKey(id));
  }

  private async start(id: string, scope: EndpointScope): Promise<LiveSession> {
    const transport = new SessionTransport({
      sessionIdGenerator: () => id,
      maxRequestBodySize: this.plane.limits.requestBytes,
    });
    const server = createGatewayServer(this.plane, scope);
    await server.connect(transport);
    return { server, transport, usedAt: this.plane.now().getTime(), open: 0 };
  }

  /** Resumes a stored session by replaying its `initialize` request. */
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
  const response = await transport.handleRequest(request, { parsedBody: message });
  await response.text();
}
