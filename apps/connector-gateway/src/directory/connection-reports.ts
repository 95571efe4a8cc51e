import { LRUCache } from 'lru-cache';
import { Backoff, type BackoffOptions } from '@gatehouse/retry/backoff';
import { createHash } from 'node:crypto';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import type { ObservationReceipt } from './directory-client.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import {
  type ConnectionStatus,
  getConnectionStatus,
  isExchangeConnector,
  isSignInConnector,
} from '../connection-statuses/connection-status.ts';
import { UpstreamUnavailableError } from '../mcp/upstreams/upstream-unavailable.ts';

/** An observation of one user at one connector. */
export interface Observation {
  user_id: string;
  connector_id: string;
  connection_status: ConnectionStatus;
  /** Names of all listed tools; absent without a list. */
  tools?: readonly string[];
  observed_at: string;
}

/** Options of the reports. */
export interface ConnectionReportsOptions {
  /** Delivers at most 1,000 observations. @throws ManagerError */
  send: (observations: readonly Observation[]) => Promise<readonly ObservationReceipt[]>;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
  /** Milliseconds in which observations are collected for one batch. */
  gatherMs?: number;
  /** The pauses after failures; default: from 500 ms to 30 s. */
  backoff?: Partial<BackoffOptions>;
}

const GATHER_MS = 500;
const BACKOFF = { firstMs: 500, longestMs: 30_000 };
/**
 * Unchanged observations are sent again after this time: another replica may have reported another
 * state, or the database may be restored.
 */
const RENEW_MS = 3_600_000;
const BATCH = 1_000;
/** Characters of a batch; the enterprise manager accepts 8 MiB. */
const BATCH_CHARACTERS = 2 * 1024 * 1024;
/**
 * Most pending observations and most last reports. A dropped entry is sent again at the next
 * listing.
 */
const MAX_ENTRIES = 50_000;

/** The last report of a user at a connector, to skip unchanged ones. */
interface LastReport {
  status: string;
  tools: string | undefined;
  at: number;
}

/**
 * Reports observations of users at connectors to the enterprise manager. Observations wait in
 * memory, and changed ones are sent in batches. Failed batches are retried with growing pauses. No
 * request waits for a report, and a restart loses only what the next listing shows again.
 */
export class ConnectionReports {
  private readonly pendingObservations = new LRUCache<string, Observation>({ max: MAX_ENTRIES });
  private readonly lastReports = new LRUCache<string, LastReport>({ max: MAX_ENTRIES });
  private readonly digests = new WeakMap<readonly object[], string>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  /** Its count is the number of failures since the last success. */
  private readonly backoff: Backoff;
  private pauseMs = 0;
  private stopped = false;

  constructor(private readonly options: ConnectionReportsOptions) {
    this.backoff = new Backoff({ ...BACKOFF, ...options.backoff });
  }

  /** Observes the result of a listing of a connector's tools for a user. */
  observe(userId: string | undefined, connector: Connector, listing: Promise<readonly { name: string }[]>): void {
    if (userId === undefined) return;
    listing.then(
      (tools) => this.enqueue(userId, connector, getListedStatus(connector), tools),
      (error: unknown) => this.enqueue(userId, connector, getFailedStatus(connector, error), undefined),
    );
  }

  /** Completes the running batch and starts no other. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Number of pending observations. */
  get size(): number {
    return this.pendingObservations.size;
  }

  private enqueue(
    userId: string,
    connector: Connector,
    status: ConnectionStatus | undefined,
    tools: readonly { name: string }[] | undefined,
  ): void {
    if (status === undefined) return;
    const key = `${userId} ${connector.id}`;
    const digest = tools && this.getDigest(tools);
    const at = this.options.now().getTime();
    const lastReport = this.lastReports.peek(key);
    // A failed listing does not show the tools.
    const isKnown = lastReport?.status === status && (digest === undefined || lastReport.tools === digest);
    if (isKnown && at - lastReport.at < RENEW_MS) return;
    this.lastReports.set(key, { status, tools: digest ?? lastReport?.tools, at });
    this.pendingObservations.set(key, {
      user_id: userId,
      connector_id: connector.id,
      connection_status: status,
      ...chooseToolNames(tools, this.pendingObservations.peek(key)),
      observed_at: new Date(at).toISOString(),
    });
    if (this.backoff.count === 0) this.schedule(this.options.gatherMs ?? GATHER_MS);
  }

  /** The digest of a list. All users share the list object until the next fetch. */
  private getDigest(tools: readonly { name: string }[]): string {
    let digest = this.digests.get(tools);
    if (digest === undefined) {
      digest = createHash('sha256')
        .update(JSON.stringify(tools.map(({ name }) => name)))
        .digest('base64');
      this.digests.set(tools, digest);
    }
    return digest;
  }

  private schedule(afterMs: number): void {
    if (this.stopped || this.timer !== undefined || this.running !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.running = this.flush().finally(() => {
        this.running = undefined;
        if (this.pendingObservations.size > 0)
          this.schedule(this.backoff.count > 0 ? this.pauseMs : (this.options.gatherMs ?? GATHER_MS));
      });
    }, afterMs).unref();
  }

  private async flush(): Promise<void> {
    const batch = this.takeBatch();
    try {
      const receipts = await this.options.send(batch.map(([, observation]) => observation));
      this.backoff.reset();
      const rejected = receipts.filter(({ status }) => status === 'rejected');
      if (rejected.length > 0)
        this.options.log.warn(
          { rejected: rejected.length, reason: rejected[0]?.error },
          'observations of connections were rejected',
        );
    } catch (error) {
      // The enterprise manager would refuse the same batch again.
      if (error instanceof ManagerError && (error.status === 400 || error.status === 413)) {
        this.options.log.warn({ err: error, dropped: batch.length }, 'observations of connections were refused');
        return;
      }
      this.pauseMs = this.backoff.next();
      // A newer observation of the same entry wins.
      for (const [key, observation] of batch)
        this.pendingObservations.set(key, { ...observation, ...this.pendingObservations.peek(key) });
      if (this.backoff.count === 1)
        this.options.log.warn({ err: error }, 'connections cannot be reported; they wait until they can');
    }
  }

  /** Takes the oldest pending observations. */
  private takeBatch(): [string, Observation][] {
    const batch: [string, Observation][] = [];
    let characters = 0;
    for (const key of this.pendingObservations.rkeys()) {
      const observation = this.pendingObservations.peek(key);
      if (observation === undefined) continue;
      characters += JSON.stringify(observation).length;
      if (batch.length > 0 && (batch.length === BATCH || characters > BATCH_CHARACTERS)) break;
      batch.push([key, observation]);
    }
    for (const [key] of batch) this.pendingObservations.delete(key);
    return batch;
  }
}

/** The status that a listing shows. */
const getListedStatus = (connector: Connector): ConnectionStatus =>
  isSignInConnector(connector) ? 'connected' : getConnectionStatus(connector);

/** The status that a failed listing shows; undefined if it shows none. */
function getFailedStatus(connector: Connector, error: unknown): ConnectionStatus | undefined {
  if (error instanceof UpstreamUnavailableError && error.signInReason !== undefined) return 'needs_auth';
  return isSignInConnector(connector) || isExchangeConnector(connector) ? undefined : getConnectionStatus(connector);
}

/** The listed tools, otherwise those of a pending observation. */
function chooseToolNames(
  tools: readonly { name: string }[] | undefined,
  before: Observation | undefined,
): Pick<Observation, 'tools'> {
  if (tools !== undefined) return { tools: tools.map(({ name }) => name) };
  return before?.tools === undefined ? {} : { tools: before.tools };
}
