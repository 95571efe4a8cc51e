import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import type { BudgetCalls } from './budget-calls.ts';

/** The manager does not know this gateway: it decides nothing for it. */
const UNKNOWN_GATEWAY_STATUSES: readonly (number | undefined)[] = [401, 403];
/** Repetitions of a call whose answer was lost, within its time limit. */
const MAX_RETRIES = 3;
/** Interval of pings while no other call says whether the manager answers. */
const PING_INTERVAL_MS = 5_000;

/** The enterprise manager does not answer, or it cannot decide now. */
export class ManagerAwayError extends GatehouseError {
  override readonly code = 'manager_away';
}

/** The rules of calls. Times are milliseconds. */
export interface CallRules {
  /** The time limit of one call with its repetitions. */
  readonly getTimeoutMs: () => number;
  /** How long leases are used after the last answer. */
  readonly awayMs: number;
}

/**
 * Sends calls to the enterprise manager. A call without an answer is repeated within its time
 * limit. Afterwards the manager is away: calls fail at once, and a single ping at a time, with
 * growing pauses, finds out when it answers again.
 */
export class ManagerCalls {
  private lastAnswerAt: number | undefined;
  private lastPingAt = 0;
  private probe: Promise<void> | undefined;
  private awaySince: number | undefined;
  private readonly stopped = new AbortController();

  constructor(
    private readonly budgets: BudgetCalls,
    private readonly rules: CallRules,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Whether the manager is away. */
  get isAway(): boolean {
    return this.awaySince !== undefined;
  }

  /** The time since the manager is away; 0 while it answers. */
  getAwayMs(now: number): number {
    return this.awaySince === undefined ? 0 : Math.max(0, now - this.awaySince);
  }

  /** Whether the last answer is recent enough to admit attempts within leases. */
  canUseLeases(now: number): boolean {
    return this.lastAnswerAt !== undefined && now - this.lastAnswerAt < this.rules.awayMs;
  }

  /**
   * Sends a call.
   * @param call is repeated with the same content
   * @throws ManagerAwayError
   * @throws ManagerError for an answer that refuses the content of the call
   */
  async send<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.isAway) throw new ManagerAwayError('the enterprise manager does not answer');
    const signal = AbortSignal.any([AbortSignal.timeout(this.rules.getTimeoutMs()), this.stopped.signal]);
    const backoff = new Backoff({ firstMs: 50, longestMs: 400 });
    try {
      const answer = await retry(() => call(signal), {
        backoff,
        maxRetries: MAX_RETRIES,
        shouldRetry: hasNoAnswer,
        signal,
      });
      this.recordAnswer();
      return answer;
    } catch (error) {
      if (!hasNoAnswer(error)) {
        this.recordAnswer();
        throw error;
      }
      this.recordFailure(error);
      throw new ManagerAwayError('the enterprise manager does not answer', { cause: error });
    }
  }

  /** Pings the manager if there was no call for a while, so that leases can be used. */
  keepContact(now: number): void {
    if (this.isAway || now - Math.max(this.lastAnswerAt ?? 0, this.lastPingAt) < PING_INTERVAL_MS) return;
    this.lastPingAt = now;
    this.send((signal) => this.budgets.ping(signal)).catch(() => undefined);
  }

  /** Ends all calls. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.probe;
  }

  private recordAnswer(): void {
    this.lastAnswerAt = this.clock.now().getTime();
  }

  private recordFailure(error: unknown): void {
    if (this.stopped.signal.aborted || this.isAway) return;
    this.awaySince = this.clock.now().getTime();
    this.log.warn({ err: error }, 'the enterprise manager does not answer; requests are admitted within leases only');
    this.probe = this.awaitAnswer();
  }

  private async awaitAnswer(): Promise<void> {
    const ping = () => {
      const timeout = AbortSignal.timeout(this.rules.getTimeoutMs());
      return this.budgets.ping(AbortSignal.any([timeout, this.stopped.signal]));
    };
    const backoff = new Backoff({ firstMs: 200, longestMs: 2_000 });
    try {
      await retry(ping, { backoff, signal: this.stopped.signal });
    } catch {
      return;
    }
    this.awaySince = undefined;
    this.recordAnswer();
    this.log.info({}, 'the enterprise manager answers again');
  }
}

/** Whether the manager did not decide about the content of a call. */
const hasNoAnswer = (error: unknown): boolean =>
  !(error instanceof ManagerError) || error.isOutage || UNKNOWN_GATEWAY_STATUSES.includes(error.status);
