import type { Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import type { Skill } from '@modelcontextprotocol/client/ext/skills';
import { listCauses } from '@gatehouse/egress/egress-refusal';
import type { RequestExchange, StreamPosition } from '@gatehouse/mcp/client/connection';
import type { ResumedRequest } from '@gatehouse/mcp/client/resume';
import { RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { ResponseLimitError } from '@gatehouse/mcp/response-limits';
import { serializeCanonicalJson } from './fingerprint.ts';
import type { Connector } from '../ports/snapshot.ts';
import { type Attempt, Breakers } from './breakers.ts';
import { type CredentialIdentity, getTargetKey, type UpstreamTarget } from './credential-identity.ts';
import { type Dialer, findCredentialError } from './credentials.ts';
import { CredentialError, SECRET_UNAVAILABLE } from '../ports/upstream-secrets.ts';
import { getFailureScope, getStatus, isRpcAnswer } from './failure-scope.ts';
import type { Limits } from '../ports/limits.ts';
import { NeedsAuthError } from '../ports/personal-credentials.ts';
import { isOfferable } from './offerable.ts';
import { type CallOwner, IdentityRuntime } from './identity-runtime.ts';
import type { FetchedItems } from './lists.ts';
import type { FetchedList, ListKind, Upstream } from './upstream.ts';
import { UpstreamUnavailableError } from './upstream-unavailable.ts';

/** The entries of an upstream's lists, by kind. */
export interface Listing {
  tools: Tool;
  prompts: Prompt;
  resources: Resource;
  resourceTemplates: ResourceTemplateType;
  skills: Skill;
}

/** Options of the upstreams. */
export interface UpstreamsOptions {
  /**
   * Opens a dialer with the connector's address rules and the credential of the identity.
   * @throws UpstreamUnavailableError for a credential that the gateway cannot send
   */
  openDialer: (target: UpstreamTarget) => Dialer;
  limits: Limits;
  now: () => number;
  onListChanged: (target: UpstreamTarget, kind: ListKind) => void;
  /** @param uri the connector's own */
  onResourceUpdated: (target: UpstreamTarget, uri: string) => void;
  /** @param task its new state, of revision 2025-11-25 */
  onTaskUpdated: (target: UpstreamTarget, task: JsonObject) => void;
}

/** The connection that created a task, and the upstream's id of the task. */
interface TaskOrigin {
  ownerKey: string;
  upstreamId: string;
}

/**
 * One connector version. A change of endpoint, credentials or address rules makes a new runtime.
 * Failures that concern all users are the same for all identities.
 */
interface ConnectorRuntime {
  connector: Connector;
  breakers: Breakers;
  identities: Map<CredentialIdentity, IdentityRuntime>;
}

/** The breaker owner of the lists of an identity. No user has this key. */
const getListOwner = (identity: CredentialIdentity): string => `lists ${identity}`;

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
  if (problem instanceof NeedsAuthError)
    return new UpstreamUnavailableError(problem.message, {
      cause,
      signInReason: problem.reason,
      advice:
        problem.reason === 'consent_required'
          ? 'Sign in there and to this client again, or go on without it.'
          : 'Connect it, or go on without it.',
    });
  return problem === undefined
    ? new UpstreamUnavailableError(describeFailure(cause), { reached, cause })
    : new UpstreamUnavailableError(problem.message, { cause, advice: 'Tell an administrator, or go on without it.' });
}

/**
 * All connections to all upstreams. Each credential identity of a connector has its own
 * connections, lists and subscriptions.
 */
export class Upstreams {
  private readonly runtimes = new Map<string, ConnectorRuntime>();
  /** Identities whose last requests may still run. */
  private readonly retired = new Set<IdentityRuntime>();
  /** The subscribed resources of each target, by its key. */
  private readonly subscriptions = new Map<string, ReadonlySet<string>>();

  constructor(private readonly options: UpstreamsOptions) {}

  /**
   * Returns a connector's complete list. See `Lists` for its age.
   * @param deadlineMs longest wait after the start of the fetch
   * @throws UpstreamUnavailableError
   */
  async list<K extends keyof Listing>(
    target: UpstreamTarget,
    kind: K,
    deadlineMs: number,
  ): Promise<readonly Listing[K][]> {
    return (await this.getIdentity(target).lists.get(kind, deadlineMs)) as readonly Listing[K][];
  }

  /** The complete list of a connector, if it is current; undefined for every other list. */
  findCurrentList<K extends keyof Listing>(target: UpstreamTarget, kind: K): readonly Listing[K][] | undefined {
    const identity = this.findIdentity(target);
    // A list of another version of the connector is not current.
    if (identity?.target.connector !== target.connector) return undefined;
    return identity.lists.findCurrent(kind) as readonly Listing[K][] | undefined;
  }

  /** Why the last fetch of a list failed, while an older list is served; undefined otherwise. */
  getListFailure(target: UpstreamTarget, kind: keyof Listing): UpstreamUnavailableError | undefined {
    return this.findIdentity(target)?.lists.getFailure(kind);
  }

  /**
   * Runs one call on the connection of its owner.
   * @param isCancelled whether the caller cancelled the call, so that its failure is not counted
   * @throws UpstreamUnavailableError while a breaker is open
   */
  async call<T>(
    target: UpstreamTarget,
    owner: CallOwner,
    work: (upstream: Upstream) => Promise<T>,
    isCancelled: () => boolean,
  ): Promise<T> {
    const identity = this.getIdentity(target);
    const attempt = this.beginAttempt(target, owner.user);
    const countUnopened = (error: unknown) => {
      countFailure(attempt, error, false);
      throw error;
    };
    const found = identity.getCaller(owner);
    const entry = found instanceof Promise ? await found.catch(countUnopened) : found;
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
   * Goes on with a call that another replica sent.
   * @throws UpstreamUnavailableError for an authentication that cannot be used
   */
  resume(target: UpstreamTarget, position: StreamPosition, exchange: RequestExchange): ResumedRequest {
    return this.getIdentity(target).resume(position, exchange);
  }

  /**
   * The capabilities that the upstream declares.
   * @throws UpstreamUnavailableError
   */
  async getCapabilities(target: UpstreamTarget): Promise<JsonObject> {
    try {
      const { capabilities } = (await this.getIdentity(target).lister.getEra()).handshake;
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
  async setSubscriptions(target: UpstreamTarget, uris: ReadonlySet<string>): Promise<void> {
    if (uris.size === 0) this.subscriptions.delete(getTargetKey(target));
    else this.subscriptions.set(getTargetKey(target), uris);
    await this.findIdentity(target)?.lister.setSubscriptions(uris);
  }

  /** Number of running calls. */
  get running(): number {
    return this.listIdentities().reduce((sum, { running }) => sum + running, 0);
  }

  /** Number of identities with connections, over all connectors. */
  get identities(): number {
    return this.listIdentities().length;
  }

  /**
   * Drops removed and changed connectors, idle connections, and idle identities of persons.
   * @param isWatched whether an open stream waits for announcements of the identity
   */
  sweep(current: readonly Connector[], isWatched: (identity: CredentialIdentity) => boolean): void {
    const { now, limits } = this.options;
    const wanted = new Map(current.map((connector) => [connector.id, computeRevision(connector)]));
    const oldest = now() - limits.upstreamIdleMs;
    for (const [id, runtime] of this.runtimes) {
      if (wanted.get(id) !== computeRevision(runtime.connector)) this.drop(id, runtime);
      else {
        runtime.breakers.sweep(limits.upstreamIdleMs);
        for (const identity of runtime.identities.values()) {
          identity.sweep();
          if (isIdle(identity) && identity.usedAt < oldest && !isWatched(identity.target.identity))
            this.closeIdentity(identity);
        }
      }
    }
  }

  /**
   * Forgets the lists of an identity, after a sign-in of its person or its end. Later requests get
   * new connections, unless a call or a task needs the present ones. Requests that have begun end
   * on the old ones.
   */
  resetIdentity(target: UpstreamTarget): void {
    const identity = this.findIdentity(target);
    if (identity === undefined) return;
    if (!isIdle(identity)) {
      identity.lists.forgetAll();
      return;
    }
    this.runtimes.get(target.connector.id)?.identities.delete(target.identity);
    this.retired.add(identity);
    this.closeLater(identity);
  }

  /** Keeps the connection that created a task. @param endsAt milliseconds since the epoch */
  holdForTask(target: UpstreamTarget, { ownerKey, upstreamId }: TaskOrigin, endsAt: number): void {
    this.findIdentity(target)?.holdForTask(ownerKey, upstreamId, endsAt);
  }

  /** Ends the need of a task for its connection. */
  endTask(target: UpstreamTarget, { ownerKey, upstreamId }: TaskOrigin): void {
    this.findIdentity(target)?.endTask(ownerKey, upstreamId);
  }

  /** Closes the connections of one owner when its session ends. */
  release(ownerKey: string): void {
    for (const identity of this.listIdentities()) identity.release(ownerKey);
  }

  async close(): Promise<void> {
    const all = [...this.listIdentities(), ...this.retired];
    this.runtimes.clear();
    this.retired.clear();
    await Promise.all(all.map((identity) => identity.close()));
  }

  private async fetchList(
    target: UpstreamTarget,
    fetch: (signal: AbortSignal) => Promise<FetchedList>,
  ): Promise<FetchedItems> {
    const { limits } = this.options;
    const attempt = this.beginAttempt(target, getListOwner(target.identity));
    try {
      const { entries, receivedBytes } = await fetch(AbortSignal.timeout(limits.upstreamListMs));
      attempt.recordSuccess();
      const items = entries.filter((entry) => isOfferable(entry)).slice(0, limits.response.listItems);
      return { items, isHeavy: receivedBytes > limits.heavyListBytes };
    } catch (error) {
      countFailure(attempt, error, false);
      throw toUnavailableError(error);
    }
  }

  private listIdentities(): IdentityRuntime[] {
    return [...this.runtimes.values()].flatMap(({ identities }) => [...identities.values()]);
  }

  private findIdentity({ connector, identity }: UpstreamTarget): IdentityRuntime | undefined {
    return this.runtimes.get(connector.id)?.identities.get(identity);
  }

  /** @throws UpstreamUnavailableError for an unsupported or invalid authentication */
  private getIdentity(target: UpstreamTarget): IdentityRuntime {
    const { connector, identity } = target;
    if (connector.violation !== undefined)
      throw toUnavailableError(new CredentialError(SECRET_UNAVAILABLE, { cause: connector.violation }));
    const { identities } = this.getRuntime(connector);
    let known = identities.get(identity);
    if (known === undefined) {
      if (identity !== 'connector') this.makeRoom();
      identities.set(identity, (known = this.openIdentity(target)));
      void known.lister.setSubscriptions(this.subscriptions.get(getTargetKey(target)) ?? new Set());
    }
    known.usedAt = this.options.now();
    return known;
  }

  private getRuntime(connector: Connector): ConnectorRuntime {
    const existing = this.runtimes.get(connector.id);
    if (existing?.connector === connector) return existing;
    if (existing !== undefined && computeRevision(existing.connector) === computeRevision(connector)) return existing;
    if (existing !== undefined) this.drop(connector.id, existing);
    const { limits, now } = this.options;
    const runtime: ConnectorRuntime = {
      connector,
      breakers: new Breakers({ threshold: limits.breakerThreshold, openMs: limits.breakerOpenMs, now }),
      identities: new Map(),
    };
    this.runtimes.set(connector.id, runtime);
    return runtime;
  }

  private openIdentity(target: UpstreamTarget): IdentityRuntime {
    const { limits, now, openDialer, onListChanged, onResourceUpdated, onTaskUpdated } = this.options;
    return new IdentityRuntime({
      target,
      dialer: openDialer(target),
      limits,
      now,
      fetchList: (fetch) => this.fetchList(target, fetch),
      onListChanged: (kind) => onListChanged(target, kind),
      onResourceUpdated: (uri) => onResourceUpdated(target, uri),
      onTaskUpdated: (task) => onTaskUpdated(target, task),
    });
  }

  /**
   * Closes the person's identity with the longest idle time if there are too many.
   * @throws UpstreamUnavailableError if all are in use
   */
  private makeRoom(): void {
    const personal = this.listIdentities().filter(({ target }) => target.identity !== 'connector');
    if (personal.length < this.options.limits.personalIdentities) return;
    const [oldest] = personal.filter(isIdle).sort((one, other) => one.usedAt - other.usedAt);
    if (oldest === undefined) throw new UpstreamUnavailableError('is used by too many people at the moment');
    this.closeIdentity(oldest);
  }

  private closeIdentity(identity: IdentityRuntime): void {
    this.runtimes.get(identity.target.connector.id)?.identities.delete(identity.target.identity);
    void identity.close().catch(() => undefined);
  }

  /** Closes a retired identity after its last request. */
  private closeLater(identity: IdentityRuntime): void {
    const close = () => {
      if (identity.isBusy) this.closeLater(identity);
      else if (this.retired.delete(identity)) void identity.close().catch(() => undefined);
    };
    setTimeout(close, this.options.limits.upstreamListMs).unref();
  }

  private drop(id: string, { identities }: ConnectorRuntime): void {
    this.runtimes.delete(id);
    for (const identity of identities.values()) void identity.close().catch(() => undefined);
  }

  /** @throws UpstreamUnavailableError while a breaker is open */
  private beginAttempt({ connector, identity }: UpstreamTarget, owner: string): Attempt {
    const attempt = this.getRuntime(connector).breakers.begin(owner);
    if (typeof attempt === 'object') return attempt;
    throw new UpstreamUnavailableError(
      attempt === 'all' || owner === getListOwner(identity)
        ? 'is failing and is not called for a while'
        : 'refused or failed your last requests and is not called again for a while',
    );
  }
}

/** Whether an identity belongs to a person and has no running call or task. */
const isIdle = ({ target, isBusy }: IdentityRuntime): boolean => target.identity !== 'connector' && !isBusy;

/** The version of each connector of a snapshot, computed once. */
const revisions = new WeakMap<Connector, string>();

/**
 * The version of a connector's runtime. A new value of the same secret keeps the version, so
 * running calls go on.
 */
function computeRevision(connector: Connector): string {
  let revision = revisions.get(connector);
  if (revision === undefined) {
    const { endpoint, transport, auth, allow_private_ips } = connector;
    const secrets = listSecretIds(auth.secrets);
    revision = serializeCanonicalJson({ endpoint, transport, auth: { ...auth, secrets }, allow_private_ips });
    revisions.set(connector, revision);
  }
  return revision;
}

const listSecretIds = (secrets: Record<string, { id: string }> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).map(([place, { id }]) => [place, id]));

/**
 * Counts a failure. A JSON-RPC error on an open connection is a response, and a credential error is
 * no fault of the upstream: neither counts.
 * @param hasInput whether the request carried input of a user
 */
function countFailure(attempt: Attempt, error: unknown, hasInput: boolean): void {
  if (error instanceof RpcError || findCredentialError(error) !== undefined) attempt.abandon();
  else attempt.recordFailure(error, getFailureScope(error, hasInput));
}
