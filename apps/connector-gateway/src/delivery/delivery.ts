import { Backoff } from '@gatehouse/retry/backoff';
import type { PlaneLog } from '../mcp/ports/plane-log.ts';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import type { ReadyRecord, Receipt, ToolCallsRepository } from '../metering/tool-calls.repository.ts';

/** Most records of one batch. */
const BATCH = 1_000;
const BACKOFF = { firstMs: 250, longestMs: 5_000 };
/**
 * Interval in which the outbox is read without a notification: another replica may have stopped.
 */
const POLL_MS = 1_000;
/** Time in which records gather for a batch: one batch a call would cost more than the call. */
const GATHER_MS = 250;
const HOUSEKEEPING_MS = 60_000;

const HOUR_MS = 3_600_000;
const DELIVERED_RETENTION_MS = HOUR_MS;
const REJECTED_RETENTION_MS = 30 * 24 * HOUR_MS;

/** Options of the delivery. */
export interface DeliveryOptions {
  gatewayId: string;
  environment: string;
  /** Age after which a running call counts as abandoned. */
  abandonedMs: number;
}

/**
 * Delivers the outbox to the enterprise manager: in order, in batches, until each record has a
 * receipt. Failures are retried with growing pauses. A record may arrive twice, for example if the
 * process ends between receipt and commit; its id makes it count once.
 */
export class Delivery {
  private timer: NodeJS.Timeout | undefined;
  private housekeeping: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  /** Its count is the number of failures since the last success. */
  private readonly backoff = new Backoff(BACKOFF);
  private pauseMs = 0;
  private stopped = false;
  private hasMore = false;
  /** Whether the next batch begins within `GATHER_MS`. */
  private isGathering = false;

  constructor(
    private readonly outbox: ToolCallsRepository,
    private readonly send: (calls: readonly object[]) => Promise<readonly Receipt[]>,
    private readonly log: PlaneLog,
    private readonly options: DeliveryOptions,
  ) {}

  start(): void {
    this.outbox.setReadyListener(() => this.wake());
    this.schedule(0);
    this.housekeeping = setInterval(() => void this.cleanUp(), HOUSEKEEPING_MS);
    void this.cleanUp();
  }

  /** Completes the running batch and starts no other. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    clearInterval(this.housekeeping);
    await this.running;
  }

  private wake(): void {
    if (this.running !== undefined) this.hasMore = true;
    else if (this.backoff.count === 0 && !this.isGathering) this.schedule(GATHER_MS);
  }

  private schedule(afterMs: number): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.isGathering = afterMs <= GATHER_MS;
    this.timer = setTimeout(() => {
      this.hasMore = false;
      this.isGathering = false;
      this.running = this.drain().finally(() => {
        this.running = undefined;
        this.schedule(this.backoff.count > 0 ? this.pauseMs : this.hasMore ? GATHER_MS : POLL_MS);
      });
    }, afterMs);
  }

  private async drain(): Promise<void> {
    try {
      while (!this.stopped && (await this.outbox.deliver(BATCH, (rows) => this.sendBatch(rows))) === BATCH)
        this.handleSuccess();
      this.handleSuccess();
    } catch (error) {
      this.pauseMs = this.backoff.next();
      if (this.backoff.count === 1)
        this.log.warn({ err: error }, 'tool-call records cannot be delivered; they wait until they can');
    }
  }

  private handleSuccess(): void {
    if (this.backoff.count > 0)
      this.log.info({ failures: this.backoff.count }, 'tool-call records are delivered again');
    this.backoff.reset();
  }

  /**
   * Sends a batch. A refused batch is halved until the invalid record is alone, so that it does not
   * block others.
   */
  private async sendBatch(rows: readonly ReadyRecord[]): Promise<readonly Receipt[]> {
    try {
      const receipts = await this.send(rows.map((row) => this.toReport(row)));
      for (const [index, receipt] of receipts.entries())
        if (receipt.status === 'rejected') this.logRejected(rows[index], receipt.error);
      return receipts;
    } catch (error) {
      if (!(error instanceof ManagerError) || !isBatchRefused(error.status)) throw error;
      if (rows.length === 1) {
        this.logRejected(rows[0], error.message);
        return [{ status: 'rejected', error: error.message }];
      }
      const middle = Math.ceil(rows.length / 2);
      return [...(await this.sendBatch(rows.slice(0, middle))), ...(await this.sendBatch(rows.slice(middle)))];
    }
  }

  /** Members without a value are undefined, so that JSON leaves them out. */
  private toReport(row: ReadyRecord): object {
    return {
      call_id: row.call_id,
      occurred_at: row.occurred_at,
      gateway_id: this.options.gatewayId,
      environment: this.options.environment,
      tool_name: row.tool_name,
      groups: row.group_ids.map((id) => ({ id })),
      decision: row.decision,
      outcome: row.outcome,
      category: row.category,
      billable: row.billable,
      billable_reason: row.billable_reason,
      connector_id: row.connector_id ?? undefined,
      connector_name: row.connector_name ?? undefined,
      user_id: row.user_id ?? undefined,
      user_email: row.user_email ?? undefined,
      definition_version: row.definition_version ?? undefined,
      duration_ms: row.duration_ms ?? undefined,
      arguments_sha256: row.arguments_sha256 ?? undefined,
    };
  }

  private logRejected(row: ReadyRecord | undefined, reason: string | undefined): void {
    this.log.error({ call_id: row?.call_id, reason }, 'a tool-call record was rejected; it stays in the outbox');
  }

  private async cleanUp(): Promise<void> {
    try {
      await this.outbox.closeAbandoned(this.options.abandonedMs);
      await this.outbox.prune(DELIVERED_RETENTION_MS, REJECTED_RETENTION_MS);
    } catch (error) {
      this.log.warn({ err: error }, 'the outbox could not be tidied');
    }
  }
}

const isBatchRefused = (status: number | undefined): boolean => status === 400 || status === 413 || status === 422;
