import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RejectedUsage, UsageBatch } from './outbox-messages.ts';
import { UsageReportsError, type UsageReceipt, type UsageReports } from './usage-reports.ts';
import type { UsageOutbox } from './usage-outbox.ts';

/** Most reports of a batch (spec 7). */
const MAX_BATCH = 1_000;
/** Time in which events gather for a batch. A batch for each call would cost more than the call. */
const GATHER_MS = 200;
const RESPONSE_TIMEOUT_MS = 20_000;
const BACKOFF = { firstMs: 250, longestMs: 5_000 };

/** The part of the outbox that the delivery needs. */
type DeliveredOutbox = Pick<UsageOutbox, 'counts' | 'readBatch' | 'settle' | 'setStoredListener'>;

/** Observes the delivery. */
export interface DeliveryObserver {
  /** A report has its receipt. */
  handleReceipt(receipt: UsageReceipt): void;
  /** The first report of a conflict stays, or a rejected report is kept aside. */
  handleProblem(receipt: UsageReceipt, report: { readonly interaction_id: string; readonly attempt: number }): void;
  /** A batch could not be delivered. It is called once until a batch is. */
  handleOutage(error: unknown): void;
  handleRecovery(failures: number): void;
}

/**
 * Delivers the outbox to the enterprise manager: in order, in batches, until each event has a
 * receipt. An event may arrive twice, for example if the process ends between the receipt and the
 * removal; the enterprise manager charges its attempt once.
 */
export class UsageDelivery {
  private readonly stopping = new AbortController();
  /** Ends the requests of the shutdown. */
  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private wake: () => void = () => undefined;
  private batchSize = MAX_BATCH;
  private failure: unknown;

  constructor(
    private readonly outbox: DeliveredOutbox,
    private readonly reports: UsageReports,
    private readonly observer: DeliveryObserver,
  ) {}

  start(): void {
    this.outbox.setStoredListener(() => this.wake());
    this.running = this.run();
  }

  /** A sentence about events that cannot be delivered; undefined without such events. */
  get warning(): string | undefined {
    const { waiting, rejected } = this.outbox.counts;
    const sentences = [
      this.failure !== undefined && `${describeFailure(this.failure)}; ${waiting} events wait in the usage outbox`,
      rejected > 0 &&
        `the enterprise manager rejected ${rejected} usage events; the log has the reasons, and a restart reports them again`,
    ];
    const present = sentences.filter((sentence) => sentence !== false);
    return present.length === 0 ? undefined : present.join('. ');
  }

  /** Delivers what it can within a time, in milliseconds. The rest stays in the outbox. */
  async stop(limitMs: number): Promise<void> {
    this.stopping.abort();
    this.wake();
    const timer = setTimeout(() => this.ending.abort(), limitMs);
    await this.running;
    clearTimeout(timer);
  }

  /** It does not reject. */
  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.waitForEvents();
      await sleep(GATHER_MS, undefined, { signal }).catch(() => undefined);
      await retry(() => this.deliverAll(), {
        backoff: new Backoff(BACKOFF),
        getMinimumPause: (error) => (error instanceof UsageReportsError ? error.retryAfterMs : undefined),
        signal,
        onFailure: (error, failures) => this.handleFailure(error, failures),
        onRecovery: (failures) => this.observer.handleRecovery(failures),
      }).catch(() => undefined);
    }
    const isReachable = this.failure === undefined && this.outbox.counts.waiting > 0;
    if (isReachable) await this.deliverAll().catch(() => undefined);
  }

  private waitForEvents(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      if (this.outbox.counts.waiting > 0 || this.stopping.signal.aborted) resolve();
    });
  }

  private handleFailure(error: unknown, failures: number): void {
    this.failure = error;
    if (failures === 1) this.observer.handleOutage(error);
  }

  /** Delivers batches until one is not full. */
  private async deliverAll(): Promise<void> {
    for (let isFull = true; isFull && !this.ending.signal.aborted;) isFull = await this.deliverNext();
  }

  /** @returns whether more events may wait */
  private async deliverNext(): Promise<boolean> {
    const batch = await this.outbox.readBatch(this.batchSize);
    if (batch === undefined) return false;
    const receipts = await this.send(batch);
    if (receipts === undefined) return true;
    await this.outbox.settle(batch, this.takeReceipts(batch, receipts));
    this.failure = undefined;
    const isFull = batch.ids.length === this.batchSize;
    this.batchSize = Math.min(MAX_BATCH, this.batchSize * 2);
    return isFull;
  }

  /**
   * Sends a batch. A batch that is refused as a whole is read again with half of its events, until
   * the event at fault is alone.
   * @returns undefined for such a batch
   */
  private async send(batch: UsageBatch): Promise<readonly UsageReceipt[] | undefined> {
    try {
      const signal = AbortSignal.any([this.ending.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]);
      const receipts = await this.reports.deliver(batch.reports, signal);
      if (receipts.length === batch.ids.length) return receipts;
      throw new UsageReportsError(
        undefined,
        `the enterprise manager answered ${receipts.length} results for ${batch.ids.length} events`,
      );
    } catch (error) {
      if (!isBatchRefused(error)) throw error;
      if (batch.ids.length === 1) return [{ status: 'rejected', error: error.message }];
      this.batchSize = Math.ceil(batch.ids.length / 2);
      return undefined;
    }
  }

  /** Reports the receipts to the observer. @returns the events that are kept aside */
  private takeReceipts({ ids, reports }: UsageBatch, receipts: readonly UsageReceipt[]): RejectedUsage[] {
    const rejected: RejectedUsage[] = [];
    let parsed: { interaction_id: string; attempt: number }[] | undefined;
    for (const [at, receipt] of receipts.entries()) {
      this.observer.handleReceipt(receipt);
      if (receipt.status === 'conflict' || !isDelivered(receipt)) {
        parsed ??= JSON.parse(reports) as { interaction_id: string; attempt: number }[];
        const report = parsed[at];
        if (report !== undefined) this.observer.handleProblem(receipt, report);
      }
      if (!isDelivered(receipt))
        rejected.push({ id: ids[at] ?? 0, error: receipt.error ?? `unknown status ${receipt.status}` });
    }
    return rejected;
  }
}

const DELIVERED: ReadonlySet<string> = new Set(['charged', 'duplicate', 'unpriceable', 'conflict']);

/** Whether the enterprise manager has the usage of the attempt. */
const isDelivered = ({ status }: UsageReceipt): boolean => DELIVERED.has(status);

/** Whether the content of a batch is at fault. */
const isBatchRefused = (error: unknown): error is UsageReportsError =>
  error instanceof UsageReportsError && [400, 413, 422].includes(error.status ?? 0);

function describeFailure(error: unknown): string {
  const status = error instanceof UsageReportsError ? error.status : undefined;
  if (status === 401 || status === 403 || status === 404)
    return `the enterprise manager refuses the usage of this gateway with ${status}: check CLIENT_ID, and GATEWAYS of the enterprise manager`;
  return 'usage cannot be delivered to the enterprise manager';
}
