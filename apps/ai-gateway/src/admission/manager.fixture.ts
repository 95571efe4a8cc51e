import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { PriceList } from '@gatehouse/money/price-list';
import { estimateModelRequest } from '@gatehouse/money/estimate';
import { isFree } from '@gatehouse/money/rates';
import { type Usd, readUsd, writeUsd } from '@gatehouse/money/usd';
import { Clock } from '@gatehouse/service-kit/clock';
import {
  type AttemptDecision,
  type AttemptRequest,
  BudgetCalls,
  type DenialReason,
  type LeaseDecision,
  type LeaseRequest,
} from './budget-calls.ts';

/** A clock that a test sets. */
export class FakeClock extends Clock {
  private ms = Date.parse('2026-11-26T12:00:00Z');
  override now = (): Date => new Date(this.ms);
  advance(ms: number): void {
    this.ms += ms;
  }
}

/** One dollar for a million tokens of input, ten for output; `free` costs nothing. */
export const PRICES = new PriceList({
  entries: [
    { provider: 'openai', model: 'gpt', openai: { inputUsdPerMillion: '1', outputUsdPerMillion: '10' } },
    { provider: 'openai', model: 'free', openai: { inputUsdPerMillion: '0', outputUsdPerMillion: '0' } },
  ],
});
const CATALOG_ID = '00000000-0000-4000-8000-000000000001';

interface Held {
  readonly amount: Usd;
  held: Usd;
  expiresAt: number;
  isReturned: boolean;
  readonly content: string;
}

/**
 * The budget of one principal as the enterprise manager keeps it: leases, reservations and usage
 * against one limit. Faults are set by the test.
 */
export class FakeManager extends BudgetCalls {
  readonly held = new Map<string, Held>();
  used = 0n;
  /** The names of all calls, in order. */
  readonly log: string[] = [];
  limit: Usd | undefined;
  keyVersion = 1;
  denial: DenialReason | undefined;
  /** The end of the budget window, in milliseconds since the epoch. */
  windowEnd = Infinity;
  /** Is called before each call takes effect, and after it. A thrown error is the answer. */
  before: (name: string) => Promise<void> | void = () => undefined;
  after: (name: string) => Promise<void> | void = () => undefined;

  constructor(private readonly clock: Clock) {
    super();
  }

  get reserved(): Usd {
    this.release();
    return [...this.held.values()].reduce((sum, { held }) => sum + held, 0n);
  }

  ping(signal: AbortSignal): Promise<void> {
    return this.answer('ping', signal, () => undefined);
  }

  admit(request: AttemptRequest, signal: AbortSignal): Promise<AttemptDecision> {
    return this.answer('admit', signal, () => {
      const admitted_at = this.clock.now().toISOString();
      const deny = (reason: DenialReason): AttemptDecision => ({
        decision: 'denied',
        reason,
        message: 'no',
        admitted_at,
      });
      if (this.denial !== undefined) return deny(this.denial);
      const rates = PRICES.find(request.provider, request.model);
      if (rates === undefined) return deny('unpriceable');
      const { prompt_tokens, max_output_tokens } = request.estimate;
      const size = { promptTokens: prompt_tokens, maxOutputTokens: max_output_tokens };
      const id = `${request.interaction_id}/${request.attempt}`;
      const estimate = estimateModelRequest(rates, request.model, size);
      const held = this.reserve(id, isFree(rates) ? 0n : estimate, 900_000, JSON.stringify(request), 'full');
      if (held === undefined) return deny('budget_exhausted');
      return {
        decision: 'admitted',
        reservation_id: id,
        admitted_at,
        expires_at: new Date(held.expiresAt).toISOString(),
        reserved_usd: writeUsd(held.held),
        pricing_catalog_id: CATALOG_ID,
      };
    });
  }

  grantLease(request: LeaseRequest, signal: AbortSignal): Promise<LeaseDecision> {
    return this.answer('lease', signal, () => {
      if (this.denial !== undefined) return { granted_usd: '0', reason: this.denial };
      const wanted = readUsd(request.amount_usd);
      const held = this.reserve(
        request.lease_id,
        wanted,
        request.ttl_seconds * 1_000,
        JSON.stringify(request),
        'part',
        request.share_percent,
      );
      if (held === undefined) return { granted_usd: '0', reason: 'budget_exhausted' };
      return {
        lease_id: request.lease_id,
        granted_usd: writeUsd(held.amount),
        ...(this.limit !== undefined && { payer: { scope: 'user', subject_id: 'alice' } }),
        expires_at: new Date(held.expiresAt).toISOString(),
        pricing_catalog_id: CATALOG_ID,
        key_version: this.keyVersion,
      };
    });
  }

  returnLease(id: string, unusedUsd: string, signal: AbortSignal): Promise<void> {
    return this.answer('return', signal, () => {
      const lease = this.held.get(id);
      if (lease === undefined) throw new ManagerError(404, 'there is no such lease');
      if (lease.isReturned) return;
      const unused = readUsd(unusedUsd);
      lease.held -= unused < lease.held ? unused : lease.held;
      lease.isReturned = true;
    });
  }

  extendReservation(id: string, seconds: number, signal: AbortSignal): Promise<void> {
    return this.answer('extend', signal, () => {
      const held = this.held.get(id);
      if (held === undefined) throw new ManagerError(404, 'there is no such reservation');
      held.expiresAt = Math.max(held.expiresAt, this.clock.now().getTime() + seconds * 1_000);
    });
  }

  fetchPriceList(_id: string, signal: AbortSignal): Promise<PriceList> {
    return this.answer('prices', signal, () => PRICES);
  }

  /** Settles the usage of an attempt: by its own reservation, or drawn from its lease. */
  settle(id: string, charge: Usd, isLease: boolean): void {
    this.release();
    const held = this.held.get(id);
    this.used += charge;
    if (held === undefined) return;
    if (isLease) held.held -= charge < held.held ? charge : held.held;
    else this.held.delete(id);
  }

  private reserve(
    id: string,
    amount: Usd,
    lifetimeMs: number,
    content: string,
    mode: 'full' | 'part',
    sharePercent = 100,
  ): Held | undefined {
    this.release();
    const now = this.clock.now().getTime();
    const known = this.held.get(id);
    if (known !== undefined) {
      if (known.content !== content || known.isReturned) throw new ManagerError(409, 'conflict');
      return known;
    }
    const rest = this.limit === undefined ? undefined : this.limit - this.used - this.reserved;
    const remaining = rest === undefined ? amount : (rest * BigInt(sharePercent)) / 100n;
    const granted = mode === 'part' && remaining < amount ? remaining : amount;
    if (amount > 0n && (remaining < granted || granted <= 0n)) return undefined;
    const expiresAt = Math.min(now + lifetimeMs, mode === 'part' ? this.windowEnd : Infinity);
    const held = {
      amount: granted,
      held: this.limit === undefined ? 0n : granted,
      expiresAt,
      isReturned: false,
      content,
    };
    this.held.set(id, held);
    return held;
  }

  private release(): void {
    for (const [id, { expiresAt }] of this.held) if (expiresAt <= this.clock.now().getTime()) this.held.delete(id);
  }

  private async answer<T>(name: string, signal: AbortSignal, work: () => T): Promise<T> {
    this.log.push(name);
    await this.waitFor(this.before(name), signal);
    const answer = work();
    await this.waitFor(this.after(name), signal);
    return answer;
  }

  private async waitFor(event: Promise<void> | void, signal: AbortSignal): Promise<void> {
    if (event === undefined) return;
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => aborted.reject(signal.reason as Error));
    await Promise.race([event, aborted.promise]);
  }
}
