import { createHash } from 'node:crypto';
import { DirectoryError } from '../directory/directory-client.ts';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { statusOf } from './connection-status.ts';

/** What was seen of one person at one connector. */
export interface Observation {
  user_id: string;
  connector_id: string;
  connection_status: 'ready' | 'needs_auth';
  /** Names of all tools that the connector listed; left out where there was no list. */
  tools?: readonly string[];
  observed_at: string;
}

/** What became of one observation at the enterprise manager. */
export interface ObservationReceipt {
  status: 'stored' | 'stale' | 'rejected';
  error?: string | undefined;
}

/** What reports need from the process around them. */
export interface ConnectionReportsOptions {
  /** Delivers at most 1,000 observations. @throws DirectoryError */
  send: (observations: readonly Observation[]) => Promise<readonly ObservationReceipt[]>;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
  /** Milliseconds in which observations are gathered for one batch. */
  gatherMs?: number;
  /** Milliseconds of the first pause after a failure; each is twice the one before, up to 30 s. */
  firstPauseMs?: number;
}

const GATHER_MS = 500;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/**
 * Unchanged observations are sent again after this long: another replica may have seen something
 * else, or the database may be an older one.
 */
const RENEW_MS = 3_600_000;
const BATCH = 1_000;
/** Characters of a batch; the enterprise manager takes 8 MiB. */
const BATCH_CHARACTERS = 2 * 1024 * 1024;
/**
 * Observations that wait or are remembered, at most: what is forgotten is sent again at the next
 * look.
 */
const MOST = 50_000;

/** What was said last, so that it is not said again. */
interface Said {
  status: string;
  tools: string | undefined;
  at: number;
}

/**
 * Tells the enterprise manager what was seen of people at connectors. Nobody waits for it: an
 * observation is noted in memory, changed ones are sent in batches, and what could not be sent is
 * tried again with growing pauses. Nothing is kept over a restart, as the next look sees it anew.
 */
export class ConnectionReports {
  private readonly waiting = new Map<string, Observation>();
  private readonly said = new Map<string, Said>();
  private readonly digests = new WeakMap<readonly object[], string>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failures = 0;
  private stopped = false;

  constructor(private readonly options: ConnectionReportsOptions) {}

  /** Notes how a look at a connector's tools ended for a person. */
  watch(userId: string | undefined, connector: Connector, listing: Promise<readonly { name: string }[]>): void {
    if (userId === undefined) return;
    listing.then(
      (tools) => this.note(userId, connector, tools),
      () => this.note(userId, connector, undefined),
    );
  }

  /** Ends the batch that is on its way, and begins no other. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** How many observations wait. */
  get size(): number {
    return this.waiting.size;
  }

  private note(userId: string, connector: Connector, tools: readonly { name: string }[] | undefined): void {
    const key = `${userId} ${connector.id}`;
    const status = statusOf(connector);
    const digest = tools && this.digestOf(tools);
    const at = this.options.now().getTime();
    const said = this.said.get(key);
    // Without a list nothing new is known about the tools.
    const isKnown = said?.status === status && (digest === undefined || said.tools === digest);
    if (isKnown && at - said.at < RENEW_MS) return;
    remember(this.said, key, { status, tools: digest ?? said?.tools, at });
    remember(this.waiting, key, {
      user_id: userId,
      connector_id: connector.id,
      connection_status: status,
      ...namesOf(tools, this.waiting.get(key)),
      observed_at: new Date(at).toISOString(),
    });
    if (this.failures === 0) this.schedule(this.options.gatherMs ?? GATHER_MS);
  }

  /** The same list is the same object for everybody until it is fetched anew. */
  private digestOf(tools: readonly { name: string }[]): string {
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
        if (this.waiting.size > 0)
          this.schedule(this.failures > 0 ? this.pause() : (this.options.gatherMs ?? GATHER_MS));
      });
    }, afterMs).unref();
  }

  private pause(): number {
    const first = this.options.firstPauseMs ?? FIRST_PAUSE_MS;
    return Math.min(first * 2 ** Math.min(this.failures - 1, 16), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
  }

  private async flush(): Promise<void> {
    const batch = this.nextBatch();
    try {
      const receipts = await this.options.send(batch.map(([, observation]) => observation));
      this.failures = 0;
      const rejected = receipts.filter(({ status }) => status === 'rejected');
      if (rejected.length > 0)
        this.options.log.warn(
          { rejected: rejected.length, reason: rejected[0]?.error },
          'observations of connections were rejected',
        );
    } catch (error) {
      // What is refused as a whole would be refused again.
      if (error instanceof DirectoryError && (error.status === 400 || error.status === 413)) {
        this.options.log.warn({ err: error, dropped: batch.length }, 'observations of connections were refused');
        return;
      }
      this.failures += 1;
      // Something newer may have been seen meanwhile.
      for (const [key, observation] of batch) this.waiting.set(key, { ...observation, ...this.waiting.get(key) });
      if (this.failures === 1)
        this.options.log.warn({ err: error }, 'connections cannot be reported; they wait until they can');
    }
  }

  /** Takes the observations that have waited longest. */
  private nextBatch(): [string, Observation][] {
    const batch: [string, Observation][] = [];
    let characters = 0;
    for (const entry of this.waiting) {
      characters += JSON.stringify(entry[1]).length;
      if (batch.length > 0 && (batch.length === BATCH || characters > BATCH_CHARACTERS)) break;
      batch.push(entry);
      this.waiting.delete(entry[0]);
    }
    return batch;
  }
}

/** The tools of a look, or those of one before that was not sent yet. */
function namesOf(
  tools: readonly { name: string }[] | undefined,
  before: Observation | undefined,
): Pick<Observation, 'tools'> {
  if (tools !== undefined) return { tools: tools.map(({ name }) => name) };
  return before?.tools === undefined ? {} : { tools: before.tools };
}

/** Sets an entry as the newest; of too many the oldest goes. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
}
