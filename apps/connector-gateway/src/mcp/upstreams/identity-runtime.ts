import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import type { Limits } from '../ports/limits.ts';
import type { Dialer } from './credentials.ts';
import type { UpstreamTarget } from './credential-identity.ts';
import { EraMemory } from './era-memory.ts';
import { type FetchedItems, Lists } from './lists.ts';
import { type FetchedList, type ListKind, type ListName, Upstream } from './upstream.ts';
import { UpstreamUnavailableError } from './upstream-unavailable.ts';

/** A connection for calls. */
interface Caller {
  upstream: Upstream;
  usedAt: number;
  running: number;
}

/** The owner of a call. */
export interface CallOwner {
  /** Key of the connection: one for each session, or for each user without sessions. */
  key: string;
  /** Key of the user; failures of the call count for this user. */
  user: string;
  capabilities: JsonObject;
}

/** Options of the connections of one identity. */
export interface IdentityRuntimeOptions {
  target: UpstreamTarget;
  dialer: Dialer;
  limits: Limits;
  now: () => number;
  /** Runs the fetch of a list within the limits. @throws UpstreamUnavailableError */
  fetchList: (fetch: (signal: AbortSignal) => Promise<FetchedList>) => Promise<FetchedItems>;
  onListChanged: (kind: ListKind) => void;
  /** @param uri the connector's own */
  onResourceUpdated: (uri: string) => void;
}

/**
 * The connections and caches of one credential identity at one connector: one connection for lists
 * and subscriptions, and those for calls.
 */
export class IdentityRuntime {
  readonly lister: Upstream;
  readonly lists: Lists;
  usedAt: number;
  private readonly callers = new Map<string, Caller>();
  private readonly era: EraMemory;

  constructor(private readonly options: IdentityRuntimeOptions) {
    const { limits, now, fetchList } = options;
    this.usedAt = now();
    this.era = new EraMemory(now);
    this.lister = this.open({}, true);
    this.lists = new Lists(
      (kind) => fetchList((signal) => this.lister.list(kind as ListName, signal)),
      limits,
      now,
      () => new UpstreamUnavailableError('did not answer in time'),
    );
  }

  get target(): UpstreamTarget {
    return this.options.target;
  }

  /** Number of running calls. */
  get running(): number {
    return [...this.callers.values()].reduce((sum, { running }) => sum + running, 0);
  }

  /**
   * The connection of a call. An upstream that keeps no session is shared by all calls of the
   * identity with the same capabilities; any other upstream has one session for each owner.
   */
  async getCaller({ key, capabilities }: CallOwner): Promise<Caller> {
    const { era, hasSession } = await this.lister.getEra();
    const declared = era === 'legacy' && !hasSession ? {} : capabilities;
    const shared = hasSession ? key : `capabilities ${JSON.stringify(declared)}`;
    let entry = this.callers.get(shared);
    if (entry === undefined) {
      entry = { upstream: this.open(declared), usedAt: this.options.now(), running: 0 };
      this.callers.set(shared, entry);
    }
    return entry;
  }

  /** Closes the connections without a call in the idle time. */
  sweep(): void {
    const oldest = this.options.now() - this.options.limits.upstreamIdleMs;
    for (const [key, { running, usedAt }] of this.callers) if (running === 0 && usedAt < oldest) this.release(key);
  }

  /** Closes the connection of one owner. */
  release(key: string): void {
    const entry = this.callers.get(key);
    this.callers.delete(key);
    void entry?.upstream.close().catch(() => undefined);
  }

  /** Closes all connections, also those of running calls. */
  async close(): Promise<void> {
    const callers = [...this.callers.values()].map(({ upstream }) => upstream.close());
    await Promise.allSettled([this.lister.close(), ...callers]);
    await this.options.dialer.close();
  }

  private open(capabilities: JsonObject, listens = false): Upstream {
    const { target, dialer, limits, onResourceUpdated } = this.options;
    return new Upstream(target.connector, {
      dispatcher: dialer.dispatcher,
      credential: dialer.credential,
      limits,
      capabilities,
      era: this.era,
      listens,
      onListChanged: (kind) => this.handleListChange(kind),
      onResourceUpdated,
    });
  }

  private handleListChange(kind: ListKind): void {
    this.lists.forget(kind);
    if (kind === 'resources') this.lists.forget('resourceTemplates');
    this.options.onListChanged(kind);
  }
}
