import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../telemetry/log.ts';
import type { FeedLease } from './feed-lease.ts';

/** Shortest time between two answers, also from a manager that does not wait. */
const MIN_INTERVAL_MS = 50;
const BACKOFF = { firstMs: 100, longestMs: 2_000 };

/** The source that a loop polls. */
export interface FeedLoopOptions {
  /** The name of the data, for the log. */
  name: string;
  lease: FeedLease;
  /** Sends one long poll and applies its answer. `waitSeconds` 0: the answer comes at once. */
  poll: (waitSeconds: number, signal: AbortSignal) => Promise<void>;
  log: Pick<Log, 'info' | 'warn'>;
}

/** Repeats a long poll to the enterprise manager. Each answer renews the lease. */
export class FeedLoop {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  /** The first poll, and each one after a failure, renews the lease without a wait. */
  private shouldWait = false;

  constructor(private readonly options: FeedLoopOptions) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Ends the current poll. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { name, log } = this.options;
    const { signal } = this.stopping;
    const options = {
      signal,
      backoff: new Backoff(BACKOFF),
      onFailure: (error: unknown, failures: number) => {
        if (failures === 1) log.warn({ err: error }, `the ${name} cannot be fetched; it is used until its lease ends`);
      },
      onRecovery: (failures: number) => log.info({ failures }, `the ${name} can be fetched again`),
    };
    // A failure is thrown only after the stop.
    while (!signal.aborted) await retry(() => this.pollOnce(signal), options).catch(() => undefined);
  }

  private async pollOnce(signal: AbortSignal): Promise<void> {
    const { lease, poll } = this.options;
    const waitSeconds = this.shouldWait && lease.isValid ? lease.waitSeconds : 0;
    this.shouldWait = false;
    await poll(waitSeconds, signal);
    this.shouldWait = true;
    lease.renew();
    await sleep(MIN_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}
