import type { PlaneLog } from '../mcp/ports/plane-log.ts';
import { DirectoryError, type Receipt } from '../directory/directory-client.ts';
import type { ToolCallRow } from './tool-call.entity.ts';
import type { ToolCallsRepository } from './tool-calls.repository.ts';

/** Most records of one batch. */
const BATCH = 1_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/**
 * How often the outbox is looked at when nobody says that there is something in it: another replica
 * may have died.
 */
const LOOK_EVERY_MS = 1_000;
const HOUSEKEEPING_MS = 60_000;

const HOUR_MS = 3_600_000;
const KEEP_DELIVERED_MS = HOUR_MS;
const KEEP_REJECTED_MS = 30 * 24 * HOUR_MS;

/** What a delivery needs. */
export interface DeliveryOptions {
  gatewayId: string;
  environment: string;
  /** After this long a call that was begun is taken as abandoned. */
  abandonedMs: number;
}

/**
 * Carries the outbox to the enterprise manager: in order, in batches, until each record has a
 * receipt. When there is none it tries again, ever more slowly. A record may arrive twice, for
 * example when this process dies between receipt and commit; its id makes it count once.
 */
export class Delivery {
  private timer: NodeJS.Timeout | undefined;
  private housekeeping: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failures = 0;
  private stopped = false;
  private more = false;

  constructor(
    private readonly outbox: ToolCallsRepository,
    private readonly send: (calls: readonly object[]) => Promise<readonly Receipt[]>,
    private readonly log: PlaneLog,
    private readonly options: DeliveryOptions,
  ) {}

  start(): void {
    this.outbox.whenReady(() => this.wake());
    this.schedule(0);
    this.housekeeping = setInterval(() => void this.tidy(), HOUSEKEEPING_MS);
    void this.tidy();
  }

  /** Finishes the batch that is on its way, and begins no other. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    clearInterval(this.housekeeping);
    await this.running;
  }

  private wake(): void {
    if (this.running !== undefined) this.more = true;
    else if (this.failures === 0) this.schedule(0);
  }

  private schedule(afterMs: number): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.more = false;
      this.running = this.drain().finally(() => {
        this.running = undefined;
        this.schedule(this.failures > 0 ? pauseAfter(this.failures) : this.more ? 0 : LOOK_EVERY_MS);
      });
    }, afterMs);
  }

  private async drain(): Promise<void> {
    try {
      while (!this.stopped && (await this.outbox.deliver(BATCH, (rows) => this.hand(rows))) > 0) this.recovered();
      this.recovered();
    } catch (error) {
      this.failures += 1;
      if (this.failures === 1)
        this.log.warn({ err: error }, 'tool-call records cannot be delivered; they wait until they can');
    }
  }

  private recovered(): void {
    if (this.failures > 0) this.log.info({ failures: this.failures }, 'tool-call records are delivered again');
    this.failures = 0;
  }

  /**
   * One bad record must not hold up its neighbours: a batch that is refused as a whole is halved
   * until the bad one stands alone.
   */
  private async hand(rows: readonly ToolCallRow[]): Promise<readonly Receipt[]> {
    try {
      const receipts = await this.send(rows.map((row) => this.wireForm(row)));
      for (const [index, receipt] of receipts.entries())
        if (receipt.status === 'rejected') this.logRejected(rows[index], receipt.error);
      return receipts;
    } catch (error) {
      if (!(error instanceof DirectoryError) || !isRefusedAsWhole(error.status)) throw error;
      if (rows.length === 1) {
        this.logRejected(rows[0], error.message);
        return [{ status: 'rejected', error: error.message }];
      }
      const middle = Math.ceil(rows.length / 2);
      return [...(await this.hand(rows.slice(0, middle))), ...(await this.hand(rows.slice(middle)))];
    }
  }

  private wireForm(row: ToolCallRow): object {
    const optional = {
      connector_id: row.connector_id,
      connector_name: row.connector_name,
      user_id: row.user_id,
      user_email: row.user_email,
      definition_version: row.definition_version,
      duration_ms: row.duration_ms,
      arguments_sha256: row.arguments_sha256,
    };
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
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
    };
  }

  private logRejected(row: ToolCallRow | undefined, reason: string | undefined): void {
    this.log.error({ call_id: row?.call_id, reason }, 'a tool-call record was rejected; it stays in the outbox');
  }

  private async tidy(): Promise<void> {
    try {
      await this.outbox.closeAbandoned(this.options.abandonedMs);
      await this.outbox.prune(KEEP_DELIVERED_MS, KEEP_REJECTED_MS);
    } catch (error) {
      this.log.warn({ err: error }, 'the outbox could not be tidied');
    }
  }
}

const isRefusedAsWhole = (status: number | undefined): boolean => status === 400 || status === 413 || status === 422;

const pauseAfter = (failures: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 16), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
