import type { KnownEra, RequestExchange, StreamPosition } from '@gatehouse/mcp/client/connection';
import { type ResumedRequest, resumeRequest } from '@gatehouse/mcp/client/resume';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import type { Limits } from '../ports/limits.ts';
import { getCapabilitiesKey } from './capabilities-key.ts';
import type { Dialer } from './credentials.ts';
import type { UpstreamTarget } from './credential-identity.ts';
import { EraMemory } from './era-memory.ts';
import { type FetchedItems, Lists } from './lists.ts';
import { type FetchedList, type ListKind, type ListName, Upstream } from './upstream.ts';
import { UpstreamUnavailableError } from './upstream-unavailable.ts';

const NO_CAPABILITIES: JsonObject = {};

/** The lists that change with the list of resources. */
const LISTS_OF_RESOURCES: readonly ListName[] = ['resourceTemplates', 'skills'];

/** A connection for calls. */
interface Caller {
  upstream: Upstream;
  usedAt: number;
  running: number;
  /** The end of each task that only this connection may know, by the upstream's id. */
  tasks: Map<string, number>;
  /** Whether its session has ended. */
  isReleased: boolean;
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
  /** @param task its new state */
  onTaskUpdated: (task: JsonObject) => void;
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
  /** Number of calls of other replicas that go on here. */
  private resumed = 0;

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
    return [...this.callers.values()].reduce((sum, { running }) => sum + running, this.resumed);
  }

  /**
   * The connection of a call, at once if the era of the upstream is known. An upstream that keeps
   * no session is shared by all calls of the identity with the same capabilities; any other
   * upstream has one session for each owner.
   */
  getCaller(owner: CallOwner): Caller | Promise<Caller> {
    const known = this.era.get();
    return known === undefined
      ? this.lister.getEra().then((era) => this.selectCaller(owner, era))
      : this.selectCaller(owner, known);
  }

  private selectCaller({ key, capabilities }: CallOwner, { era, hasSession }: KnownEra): Caller {
    const declared = era === 'legacy' && !hasSession ? NO_CAPABILITIES : capabilities;
    const shared = hasSession ? key : `capabilities ${getCapabilitiesKey(declared)}`;
    let entry = this.callers.get(shared);
    if (entry === undefined) {
      entry = {
        upstream: this.open(declared),
        usedAt: this.options.now(),
        running: 0,
        tasks: new Map(),
        isReleased: false,
      };
      this.callers.set(shared, entry);
    }
    return entry;
  }

  /** Reads the answer to a request on, which another replica sent. */
  resume(position: StreamPosition, exchange: RequestExchange): ResumedRequest {
    const { target, dialer, limits, now } = this.options;
    const resumed = resumeRequest(
      new URL(target.connector.endpoint),
      {
        dispatcher: dialer.dispatcher,
        createHeaders: (request) => dialer.credential.create(request),
        limits: limits.response,
        // The connection of the lists hears of changes.
        onNotification: () => undefined,
      },
      position,
      exchange,
    );
    this.resumed += 1;
    const end = () => {
      this.resumed -= 1;
      this.usedAt = now();
    };
    resumed.response.then(end, end);
    return resumed;
  }

  /** Closes the connections without a call in the idle time. */
  sweep(): void {
    const now = this.options.now();
    const oldest = now - this.options.limits.upstreamIdleMs;
    for (const [key, entry] of this.callers) {
      for (const [id, endsAt] of entry.tasks) if (endsAt <= now) entry.tasks.delete(id);
      const { running, usedAt, tasks, isReleased } = entry;
      if (running === 0 && tasks.size === 0 && (isReleased || usedAt < oldest)) this.closeCaller(key, entry);
    }
  }

  /** Closes the connection of one owner, after the end of its tasks. */
  release(key: string): void {
    const entry = this.callers.get(key);
    if (entry === undefined) return;
    if (entry.tasks.size === 0) this.closeCaller(key, entry);
    else entry.isReleased = true;
  }

  /** Whether a call or a task needs the connections. */
  get isBusy(): boolean {
    return this.resumed > 0 || [...this.callers.values()].some(({ running, tasks }) => running > 0 || tasks.size > 0);
  }

  /**
   * Keeps the connection of an owner for a task. A connection that all callers share needs it not.
   * @param endsAt milliseconds since the epoch
   */
  holdForTask(key: string, upstreamId: string, endsAt: number): void {
    const entry = this.callers.get(key);
    if (entry === undefined) return;
    entry.tasks.set(upstreamId, endsAt);
    void entry.upstream.listen().catch(() => undefined);
  }

  /** Ends the need of a task for its connection. */
  endTask(key: string, upstreamId: string): void {
    this.callers.get(key)?.tasks.delete(upstreamId);
  }

  private closeCaller(key: string, { upstream }: Caller): void {
    this.callers.delete(key);
    void upstream.close().catch(() => undefined);
  }

  /** Closes all connections, also those of running calls. */
  async close(): Promise<void> {
    const callers = [...this.callers.values()].map(({ upstream }) => upstream.close());
    await Promise.allSettled([this.lister.close(), ...callers]);
    await this.options.dialer.close();
  }

  private open(capabilities: JsonObject, listens = false): Upstream {
    const { target, dialer, limits, onResourceUpdated, onTaskUpdated } = this.options;
    return new Upstream(target.connector, {
      dispatcher: dialer.dispatcher,
      credential: dialer.credential,
      limits,
      capabilities,
      era: this.era,
      listens,
      onListChanged: (kind) => this.handleListChange(kind),
      onResourceUpdated,
      onTaskUpdated,
    });
  }

  private handleListChange(kind: ListKind): void {
    this.lists.forget(kind);
    if (kind === 'resources') for (const other of LISTS_OF_RESOURCES) this.lists.forget(other);
    this.options.onListChanged(kind);
  }
}
