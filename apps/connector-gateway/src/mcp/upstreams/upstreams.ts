import {
  type ClientCapabilities,
  type Prompt,
  ProtocolError,
  type Resource,
  type ResourceTemplateType,
  type Tool,
} from '@modelcontextprotocol/client';
import { causesOf } from '@gatehouse/egress/egress-refusal';
import { AnswerLimitError } from '@gatehouse/mcp/answer-limits';
import { canonicalJson } from './fingerprint.ts';
import type { Connector } from '../ports/snapshot.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { type Attempt, Breakers } from './breakers.ts';
import { credentialProblemIn } from './credentials.ts';
import { credentialOf } from '../ports/upstream-secrets.ts';
import { failureScope, statusOf } from './failure-scope.ts';
import type { Limits } from '../ports/limits.ts';
import { isOfferable } from './offerable.ts';
import { EraMemory, type ListKind, Upstream } from './upstream.ts';

/** What an upstream offers, by kind. */
export interface Listing {
  tools: Tool;
  prompts: Prompt;
  resources: Resource;
  resourceTemplates: ResourceTemplateType;
}

/** What the upstreams need from the process around them. */
export interface UpstreamsOptions {
  /** A way out that obeys the connector's address rules at every dial. */
  openWay: (connector: Connector) => Way;
  limits: Limits;
  now: () => number;
  onListChanged: (connector: Connector, kind: ListKind) => void;
}

/** A way out to one connector. */
export interface Way {
  fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** Whether a request could be made now. @throws CredentialProblem */
  ready(): Promise<void>;
  close(): Promise<void>;
}

interface CachedList {
  startedAt: number;
  /** Undefined while the first fetch runs. */
  settledAt?: number;
  /** How long it is kept after that. */
  ttlMs: number;
  items: Promise<readonly unknown[]>;
}

/**
 * One version of one connector: a change of its endpoint, credentials or address rules makes a new
 * one, with new connections and caches.
 */
interface Reach {
  connector: Connector;
  way: Way;
  breakers: Breakers;
  lister: Upstream;
  lists: Map<keyof Listing, CachedList>;
  callers: Map<string, { upstream: Upstream; usedAt: number; running: number }>;
}

/** The owner of a call. */
export interface CallOwner {
  /** Of the connection: one for each session, or for each person where there are no sessions. */
  key: string;
  /** Key of the person, for whom failures of the call count. */
  person: string;
  capabilities: ClientCapabilities;
}

/** The owner of lists: the gateway itself. No person has this key. */
const LISTS = 'lists';

interface UnavailableOptions {
  reached?: boolean;
  advice?: string;
  cause?: unknown;
}

const LATER = 'Try again later, or go on without it.';

/**
 * The upstream refused, is known to be broken, or did not answer: a sentence for the person who
 * called.
 */
export class UpstreamUnavailableError extends Error {
  override readonly name = 'UpstreamUnavailableError';
  /** Whether the upstream may have got the request. */
  readonly reached: boolean;
  /** What the person can do about it. */
  readonly advice: string;

  /** Whether the upstream failed; else the gateway lacks what it takes to ask it. */
  get isOutage(): boolean {
    return this.advice === LATER;
  }

  constructor(message: string, { reached = false, advice = LATER, cause }: UnavailableOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.reached = reached;
    this.advice = advice;
  }
}

const limitErrorIn = (error: unknown): AnswerLimitError | undefined =>
  causesOf(error).find((cause) => cause instanceof AnswerLimitError);

/**
 * Describes the failure of an upstream in words of the gateway: it never repeats text of the
 * upstream.
 */
function failureText(error: unknown): string {
  const causes = causesOf(error);
  const status = causes.map(statusOf).find((each) => each !== undefined);
  if (status !== undefined) return `answered with HTTP ${status}`;
  return causes.some((cause) => cause instanceof ProtocolError) ? 'answered with an error' : 'did not answer';
}

/**
 * What the person is told about a failure of an upstream.
 * @param reached whether the upstream may have got the request
 */
export function unavailable(cause: unknown, reached = false): UpstreamUnavailableError {
  const excess = limitErrorIn(cause);
  if (excess !== undefined)
    return new UpstreamUnavailableError(excess.message, {
      reached,
      cause,
      advice: 'Ask it for less at a time, or tell an administrator.',
    });
  const problem = credentialProblemIn(cause);
  return problem === undefined
    ? new UpstreamUnavailableError(failureText(cause), { reached, cause })
    : new UpstreamUnavailableError(problem.message, { cause, advice: 'Tell an administrator, or go on without it.' });
}

/**
 * All connections to all upstreams: one per connector for its lists, one per person (and legacy
 * session) and connector for calls.
 */
export class Upstreams {
  private readonly reaches = new Map<string, Reach>();
  private readonly eras: EraMemory;

  constructor(private readonly options: UpstreamsOptions) {
    this.eras = new EraMemory(options.now);
  }

  /**
   * A connector's complete list, at most `listTtlMs` old. Fetches of the same list share one
   * request, which goes on when its askers give up.
   * @param deadlineMs how long after its start the fetch may keep anybody waiting
   * @throws UpstreamUnavailableError
   */
  async list<K extends keyof Listing>(
    connector: Connector,
    kind: K,
    deadlineMs: number,
  ): Promise<readonly Listing[K][]> {
    const reach = this.reach(connector);
    const { now } = this.options;
    let cached = reach.lists.get(kind);
    if (cached === undefined || (cached.settledAt !== undefined && now() - cached.settledAt >= cached.ttlMs)) {
      cached = this.fetchList(reach, kind, attemptOf(reach, LISTS));
      reach.lists.set(kind, cached);
    }
    const remaining = Math.max(0, deadlineMs - (now() - cached.startedAt));
    return (await orLate(
      cached.items,
      cached.settledAt === undefined ? remaining : undefined,
    )) as readonly Listing[K][];
  }

  /**
   * Runs one call on the connection of its owner.
   * @param wasGivenUp whether the caller ended the call, so that its failure says nothing about the
   * upstream
   * @throws UpstreamUnavailableError while the connector is left alone for all people, or for this
   * person
   */
  async call<T>(
    connector: Connector,
    owner: CallOwner,
    work: (upstream: Upstream) => Promise<T>,
    wasGivenUp: () => boolean,
  ): Promise<T> {
    const reach = this.reach(connector);
    await reach.way.ready();
    const attempt = attemptOf(reach, owner.person);
    const entry = this.callerOf(reach, owner);
    entry.running += 1;
    try {
      const result = await work(entry.upstream);
      attempt.succeeded();
      return result;
    } catch (error) {
      if (wasGivenUp()) attempt.abandoned();
      else judge(attempt, error, true);
      throw error;
    } finally {
      entry.running -= 1;
      entry.usedAt = this.options.now();
    }
  }

  /** How many calls are on their way. */
  get running(): number {
    const callers = [...this.reaches.values()].flatMap((reach) => [...reach.callers.values()]);
    return callers.reduce((sum, { running }) => sum + running, 0);
  }

  /** Forgets connectors that are gone or changed, and connections that nobody used for a while. */
  sweep(current: readonly Connector[]): void {
    const wanted = new Map(current.map((connector) => [connector.id, revisionOf(connector)]));
    for (const [id, reach] of this.reaches) {
      if (wanted.get(id) !== revisionOf(reach.connector)) this.drop(id, reach);
      else {
        const { now, limits } = this.options;
        this.sweepCallers(reach, (entry) => now() - entry.usedAt > limits.upstreamIdleMs);
        reach.breakers.sweep(limits.upstreamIdleMs);
      }
    }
  }

  /** Closes the connections of one owner, at the end of its session. */
  release(ownerKey: string): void {
    for (const reach of this.reaches.values()) {
      const entry = reach.callers.get(ownerKey);
      if (entry === undefined) continue;
      reach.callers.delete(ownerKey);
      void entry.upstream.close().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    const all = [...this.reaches.values()];
    this.reaches.clear();
    await Promise.all(all.map(closeReach));
  }

  private fetchList(reach: Reach, kind: keyof Listing, attempt: Attempt): CachedList {
    const { limits, now } = this.options;
    const fetched = reach.way.ready().then(() => reach.lister.list(kind, AbortSignal.timeout(limits.upstreamListMs)));
    const items = fetched.then(
      ({ entries }) => entries.filter((entry) => isOfferable(entry)).slice(0, limits.answer.listItems),
      (cause: unknown) => {
        throw unavailable(cause);
      },
    );
    const cached: CachedList = { startedAt: now(), ttlMs: limits.listTtlMs, items };
    fetched.then(
      ({ receivedBytes }) => {
        cached.settledAt = now();
        if (receivedBytes > limits.heavyListBytes) cached.ttlMs = limits.heavyListTtlMs;
        attempt.succeeded();
      },
      (error: unknown) => {
        if (limitErrorIn(error) === undefined) reach.lists.delete(kind);
        else {
          cached.settledAt = now();
          cached.ttlMs = limits.heavyListTtlMs;
        }
        judge(attempt, error, false);
      },
    );
    return cached;
  }

  /** @throws UpstreamUnavailableError where nothing may be sent to the connector at all */
  private reach(connector: Connector): Reach {
    if (credentialOf(connector) === undefined) {
      throw new UpstreamUnavailableError('needs a credential that this gateway cannot send yet', {
        advice: 'Go on without it.',
      });
    }
    const existing = this.reaches.get(connector.id);
    if (existing !== undefined && revisionOf(existing.connector) === revisionOf(connector)) return existing;
    if (existing !== undefined) this.drop(connector.id, existing);
    const { limits, now, onListChanged, openWay } = this.options;
    const way = openWay(connector);
    const reach: Reach = {
      connector,
      way,
      breakers: new Breakers({ threshold: limits.breakerThreshold, openMs: limits.breakerOpenMs, now }),
      lister: this.open(connector, way, {}, (kind) => {
        forgetList(reach, kind, limits);
        if (kind === 'resources') forgetList(reach, 'resourceTemplates', limits);
        onListChanged(connector, kind);
      }),
      lists: new Map(),
      callers: new Map(),
    };
    this.reaches.set(connector.id, reach);
    return reach;
  }

  private callerOf(reach: Reach, owner: CallOwner) {
    let entry = reach.callers.get(owner.key);
    if (entry === undefined) {
      entry = {
        upstream: this.open(reach.connector, reach.way, owner.capabilities),
        usedAt: this.options.now(),
        running: 0,
      };
      reach.callers.set(owner.key, entry);
    }
    return entry;
  }

  private open(
    connector: Connector,
    way: Way,
    capabilities: ClientCapabilities,
    onListChanged?: (kind: ListKind) => void,
  ): Upstream {
    const { limits } = this.options;
    return new Upstream(connector, {
      fetch: boundedFetch(way.fetch, limits.answer),
      limits,
      capabilities,
      eras: this.eras,
      ...(onListChanged && { onListChanged }),
    });
  }

  private drop(id: string, reach: Reach): void {
    this.reaches.delete(id);
    void closeReach(reach);
  }

  private sweepCallers(reach: Reach, isDue: (entry: { usedAt: number }) => boolean): void {
    for (const [key, entry] of reach.callers) {
      if (entry.running > 0 || !isDue(entry)) continue;
      reach.callers.delete(key);
      void entry.upstream.close().catch(() => undefined);
    }
  }
}

/**
 * Forgets a list that changed. A large one is kept for its time: an upstream that reports changes
 * all the time is not asked for it all the time.
 */
function forgetList({ lists }: Reach, kind: keyof Listing, { heavyListTtlMs }: Limits): void {
  if (lists.get(kind)?.ttlMs !== heavyListTtlMs) lists.delete(kind);
}

/**
 * Ends a connector's connections, those of running calls too: what is withdrawn is not used any
 * longer.
 */
async function closeReach({ way, lister, callers }: Reach): Promise<void> {
  await Promise.allSettled([lister.close(), ...[...callers.values()].map((entry) => entry.upstream.close())]);
  await way.close();
}

/** A new value of the same secret is no other way to the connector: running calls go on. */
const revisionOf = ({ endpoint, transport, auth, allow_private_ips }: Connector): string =>
  canonicalJson({ endpoint, transport, auth: { ...auth, secrets: idsOf(auth?.secrets) }, allow_private_ips });

const idsOf = (secrets: Record<string, { id: string }> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).map(([place, { id }]) => [place, id]));

/** @throws UpstreamUnavailableError while the connector is left alone */
function attemptOf(reach: Reach, owner: string): Attempt {
  const attempt = reach.breakers.begin(owner);
  if (typeof attempt === 'object') return attempt;
  throw new UpstreamUnavailableError(
    attempt === 'all' || owner === LISTS
      ? 'is failing and left alone for a while'
      : 'refused or failed your last requests and is not asked again for a while',
  );
}

/**
 * Counts a failure. A JSON-RPC error on an open connection is an answer, and a problem with a
 * secret is on this side: neither is a failure of the upstream.
 * @param hasInput whether the request carried the input of a person
 */
function judge(attempt: Attempt, error: unknown, hasInput: boolean): void {
  if (error instanceof ProtocolError || credentialProblemIn(error) !== undefined) attempt.abandoned();
  else attempt.failed(error, failureScope(error, hasInput));
}

async function orLate<T>(work: Promise<T>, limitMs: number | undefined): Promise<T> {
  if (limitMs === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UpstreamUnavailableError('did not answer in time')), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
