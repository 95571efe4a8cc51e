import type { Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { listCauses } from '@gatehouse/egress/egress-refusal';
import { RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { ResponseLimitError } from '@gatehouse/mcp/response-limits';
import { serializeCanonicalJson } from './fingerprint.ts';
import type { Connector } from '../ports/snapshot.ts';
import { type Attempt, Breakers } from './breakers.ts';
import { type CredentialHeaders, findCredentialError } from './credentials.ts';
import { Eras } from './eras.ts';
import { CredentialError, getCredential, SECRET_UNAVAILABLE } from '../ports/upstream-secrets.ts';
import { getFailureScope, getStatus, isRpcAnswer } from './failure-scope.ts';
import type { Dispatcher } from 'undici';
import type { Limits } from '../ports/limits.ts';
import { isOfferable } from './offerable.ts';
import { type FetchedItems, Lists } from './lists.ts';
import { type ListKind, Upstream } from './upstream.ts';
import { UpstreamUnavailableError } from './upstream-unavailable.ts';

/** The entries of an upstream's lists, by kind. */
export interface Listing {
  tools: Tool;
  prompts: Prompt;
  resources: Resource;
  resourceTemplates: ResourceTemplateType;
}

/** Options of the upstreams. */
export interface UpstreamsOptions {
  /** Opens a dialer with the connector's address rules and credential. */
  openDialer: (connector: Connector) => Dialer;
  limits: Limits;
  now: () => number;
  onListChanged: (connector: Connector, kind: ListKind) => void;
  /** @param uri the connector's own */
  onResourceUpdated: (connector: Connector, uri: string) => void;
}

/** Makes HTTP requests to one connector. */
export interface Dialer {
  dispatcher: Dispatcher;
  credential: CredentialHeaders;
  close(): Promise<void>;
}

/**
 * The connections and caches of one connector version. A change of endpoint, credentials or address
 * rules makes a new runtime.
 */
interface ConnectorRuntime {
  connector: Connector;
  dialer: Dialer;
  breakers: Breakers;
  lister: Upstream;
  lists: Lists;
  callers: Map<string, Caller>;
}

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

/** The breaker owner of lists: the gateway. No user has this key. */
const LIST_OWNER = 'lists';

const findLimitError = (error: unknown): ResponseLimitError | undefined =>
  listCauses(error).find((cause) => cause instanceof ResponseLimitError);

/** Describes a failure in the gateway's own words; it never repeats text of the upstream. */
function describeFailure(error: unknown): string {
  const causes = listCauses(error);
  const status = causes.map(getStatus).find((each) => each !== undefined);
  if (status !== undefined) return `answered with HTTP ${status}`;
  return causes.some(isRpcAnswer) ? 'answered with an error' : 'did not answer';
}

/**
 * Converts a failure of an upstream to an error for the caller.
 * @param reached whether the upstream may have received the request
 */
export function toUnavailableError(cause: unknown, reached = false): UpstreamUnavailableError {
  const excess = findLimitError(cause);
  if (excess !== undefined)
    return new UpstreamUnavailableError(excess.message, {
      reached,
      isLimit: true,
      cause,
      advice: 'Ask it for less at a time, or tell an administrator.',
    });
  const problem = findCredentialError(cause);
  return problem === undefined
    ? new UpstreamUnavailableError(describeFailure(cause), { reached, cause })
    : new UpstreamUnavailableError(problem.message, { cause, advice: 'Tell an administrator, or go on without it.' });
}

/**
 * All connections to all upstreams: one per connector for its lists, one per owner and connector
 * for calls.
 */
export class Upstreams {
  private readonly runtimes = new Map<string, ConnectorRuntime>();
  private readonly eras: Eras;
  /** The subscribed resources of each connector, by its id. */
  private readonly subscriptions = new Map<string, ReadonlySet<string>>();

  constructor(private readonly options: UpstreamsOptions) {
    this.eras = new Eras(options.now);
  }

  /**
   * Returns a connector's complete list. See `Lists` for its age.
   * @param deadlineMs longest wait after the start of the fetch
   * @throws UpstreamUnavailableError
   */
  async list<K extends keyof Listing>(
    connector: Connector,
    kind: K,
    deadlineMs: number,
  ): Promise<readonly Listing[K][]> {
    return (await this.getRuntime(connector).lists.get(kind, deadlineMs)) as readonly Listing[K][];
  }

  /** Why the last fetch of a list failed, while an older list is served; undefined otherwise. */
  getListFailure(connector: Connector, kind: keyof Listing): UpstreamUnavailableError | undefined {
    return this.runtimes.get(connector.id)?.lists.getFailure(kind);
  }

  /**
   * Runs one call on the connection of its owner.
   * @param isCancelled whether the caller cancelled the call, so that its failure is not counted
   * @throws UpstreamUnavailableError while a breaker is open
   */
  async call<T>(
    connector: Connector,
    owner: CallOwner,
    work: (upstream: Upstream) => Promise<T>,
    isCancelled: () => boolean,
  ): Promise<T> {
    const runtime = this.getRuntime(connector);
    const attempt = beginAttempt(runtime, owner.user);
    const entry = await this.getCaller(runtime, owner).catch((error: unknown) => {
      countFailure(attempt, error, false);
      throw error;
    });
    entry.running += 1;
    try {
      const result = await work(entry.upstream);
      attempt.recordSuccess();
      return result;
    } catch (error) {
      if (isCancelled()) attempt.abandon();
      else countFailure(attempt, error, true);
      throw error;
    } finally {
      entry.running -= 1;
      entry.usedAt = this.options.now();
    }
  }

  /**
   * The capabilities that the upstream declares.
   * @throws UpstreamUnavailableError
   */
  async getCapabilities(connector: Connector): Promise<JsonObject> {
    try {
      const { capabilities } = (await this.getRuntime(connector).lister.getEra()).handshake;
      return isJsonObject(capabilities) ? capabilities : {};
    } catch (error) {
      throw error instanceof UpstreamUnavailableError ? error : toUnavailableError(error);
    }
  }

  /**
   * Subscribes to resources of a connector, on the connection of its lists.
   * Resolves when the upstream knows them, or after an attempt that failed and is repeated.
   * @param uris the connector's own; they replace the previous ones
   */
  async setSubscriptions(connector: Connector, uris: ReadonlySet<string>): Promise<void> {
    if (uris.size === 0) this.subscriptions.delete(connector.id);
    else this.subscriptions.set(connector.id, uris);
    await this.runtimes.get(connector.id)?.lister.setSubscriptions(uris);
  }

  /** Number of running calls. */
  get running(): number {
    const callers = [...this.runtimes.values()].flatMap((runtime) => [...runtime.callers.values()]);
    return callers.reduce((sum, { running }) => sum + running, 0);
  }

  /** Drops removed and changed connectors, and idle connections. */
  sweep(current: readonly Connector[]): void {
    const wanted = new Map(current.map((connector) => [connector.id, computeRevision(connector)]));
    for (const [id, runtime] of this.runtimes) {
      if (wanted.get(id) !== computeRevision(runtime.connector)) this.drop(id, runtime);
      else {
        const { now, limits } = this.options;
        this.sweepCallers(runtime, (entry) => now() - entry.usedAt > limits.upstreamIdleMs);
        runtime.breakers.sweep(limits.upstreamIdleMs);
      }
    }
  }

  /** Closes the connections of one owner when its session ends. */
  release(ownerKey: string): void {
    for (const runtime of this.runtimes.values()) {
      const entry = runtime.callers.get(ownerKey);
      if (entry === undefined) continue;
      runtime.callers.delete(ownerKey);
      void entry.upstream.close().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    const all = [...this.runtimes.values()];
    this.runtimes.clear();
    await Promise.all(all.map(closeRuntime));
  }

  private async fetchList(runtime: ConnectorRuntime, kind: keyof Listing): Promise<FetchedItems> {
    const { limits } = this.options;
    const attempt = beginAttempt(runtime, LIST_OWNER);
    try {
      const { entries, receivedBytes } = await runtime.lister.list(kind, AbortSignal.timeout(limits.upstreamListMs));
      attempt.recordSuccess();
      const items = entries.filter((entry) => isOfferable(entry)).slice(0, limits.response.listItems);
      return { items, isHeavy: receivedBytes > limits.heavyListBytes };
    } catch (error) {
      countFailure(attempt, error, false);
      throw toUnavailableError(error);
    }
  }

  /** @throws UpstreamUnavailableError for an unsupported or invalid authentication */
  private getRuntime(connector: Connector): ConnectorRuntime {
    const { violation } = connector;
    if (violation !== undefined)
      throw toUnavailableError(new CredentialError(SECRET_UNAVAILABLE, { cause: violation }));
    if (getCredential(connector) === undefined) {
      throw new UpstreamUnavailableError('needs a credential that this gateway cannot send yet', {
        advice: 'Go on without it.',
      });
    }
    const existing = this.runtimes.get(connector.id);
    if (existing !== undefined && computeRevision(existing.connector) === computeRevision(connector)) return existing;
    if (existing !== undefined) this.drop(connector.id, existing);
    const { limits, now, openDialer } = this.options;
    const dialer = openDialer(connector);
    const runtime: ConnectorRuntime = {
      connector,
      dialer,
      breakers: new Breakers({ threshold: limits.breakerThreshold, openMs: limits.breakerOpenMs, now }),
      lister: this.open(connector, dialer, {}, true),
      lists: new Lists(
        (kind) => this.fetchList(runtime, kind as keyof Listing),
        limits,
        now,
        () => new UpstreamUnavailableError('did not answer in time'),
      ),
      callers: new Map(),
    };
    this.runtimes.set(connector.id, runtime);
    void runtime.lister.setSubscriptions(this.subscriptions.get(connector.id) ?? new Set());
    return runtime;
  }

  /**
   * The connection of a call. An upstream that keeps no session is shared by all callers with the
   * same capabilities; any other upstream has one session for each owner.
   */
  private async getCaller(runtime: ConnectorRuntime, { key, capabilities }: CallOwner): Promise<Caller> {
    const { era, hasSession } = await runtime.lister.getEra();
    const declared = era === 'legacy' && !hasSession ? {} : capabilities;
    const shared = hasSession ? key : `capabilities ${JSON.stringify(declared)}`;
    let entry = runtime.callers.get(shared);
    if (entry === undefined) {
      const upstream = this.open(runtime.connector, runtime.dialer, declared);
      entry = { upstream, usedAt: this.options.now(), running: 0 };
      runtime.callers.set(shared, entry);
    }
    return entry;
  }

  private open(connector: Connector, dialer: Dialer, capabilities: JsonObject, listens = false): Upstream {
    const { limits } = this.options;
    return new Upstream(connector, {
      dispatcher: dialer.dispatcher,
      credential: dialer.credential,
      limits,
      capabilities,
      eras: this.eras,
      listens,
      onListChanged: (kind) => this.handleListChange(connector, kind),
      onResourceUpdated: (uri) => this.options.onResourceUpdated(connector, uri),
    });
  }

  private handleListChange(connector: Connector, kind: ListKind): void {
    const runtime = this.runtimes.get(connector.id);
    if (runtime === undefined) return;
    runtime.lists.forget(kind);
    if (kind === 'resources') runtime.lists.forget('resourceTemplates');
    this.options.onListChanged(connector, kind);
  }

  private drop(id: string, runtime: ConnectorRuntime): void {
    this.runtimes.delete(id);
    void closeRuntime(runtime);
  }

  private sweepCallers(runtime: ConnectorRuntime, isDue: (entry: { usedAt: number }) => boolean): void {
    for (const [key, entry] of runtime.callers) {
      if (entry.running > 0 || !isDue(entry)) continue;
      runtime.callers.delete(key);
      void entry.upstream.close().catch(() => undefined);
    }
  }
}

/** Closes all connections of a connector, also those of running calls. */
async function closeRuntime({ dialer, lister, callers }: ConnectorRuntime): Promise<void> {
  await Promise.allSettled([lister.close(), ...[...callers.values()].map((entry) => entry.upstream.close())]);
  await dialer.close();
}

/**
 * The version of a connector's runtime. A new value of the same secret keeps the version, so
 * running calls go on.
 */
const computeRevision = ({ endpoint, transport, auth, allow_private_ips }: Connector): string =>
  serializeCanonicalJson({
    endpoint,
    transport,
    auth: { ...auth, secrets: listSecretIds(auth.secrets) },
    allow_private_ips,
  });

const listSecretIds = (secrets: Record<string, { id: string }> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).map(([place, { id }]) => [place, id]));

/** @throws UpstreamUnavailableError while a breaker is open */
function beginAttempt(runtime: ConnectorRuntime, owner: string): Attempt {
  const attempt = runtime.breakers.begin(owner);
  if (typeof attempt === 'object') return attempt;
  throw new UpstreamUnavailableError(
    attempt === 'all' || owner === LIST_OWNER
      ? 'is failing and is not called for a while'
      : 'refused or failed your last requests and is not called again for a while',
  );
}

/**
 * Counts a failure. A JSON-RPC error on an open connection is a response, and a credential error is
 * no fault of the upstream: neither counts.
 * @param hasInput whether the request carried input of a user
 */
function countFailure(attempt: Attempt, error: unknown, hasInput: boolean): void {
  if (error instanceof RpcError || findCredentialError(error) !== undefined) attempt.abandon();
  else attempt.recordFailure(error, getFailureScope(error, hasInput));
}
