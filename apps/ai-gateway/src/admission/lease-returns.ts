import { type Usd, writeUsd } from '@gatehouse/money/usd';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import type { BudgetCalls } from './budget-calls.ts';
import type { Lease } from './lease.ts';
import type { ManagerCalls } from './manager-calls.ts';
import type { PendingLease } from './principal-account.ts';

/** A lease can be returned once. Running attempts may end first, so that it returns more. */
const RUNNING_WAIT_MS = 30_000;
/** Returns that one sweep sends. */
const MAX_CONCURRENT = 256;

interface LeaseReturn {
  readonly id: string;
  /** The amount that no attempt will use, at the moment of the call. */
  readonly getUnused: () => Usd;
  /** Whether attempts of the lease are running. */
  readonly isBusy: () => boolean;
  readonly closedAt: number;
  /** The enterprise manager releases the amount by itself then. */
  readonly expiresAt: number;
  isSending: boolean;
}

/** Returns the unused amounts of closed leases to the enterprise manager. */
export class LeaseReturns {
  private readonly waiting = new Map<string, LeaseReturn>();

  constructor(
    private readonly budgets: BudgetCalls,
    private readonly calls: ManagerCalls,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** The number of leases that are not returned yet. */
  get size(): number {
    return this.waiting.size;
  }

  /** Takes a lease that admits nothing more. */
  add(lease: Lease): LeaseReturn {
    return this.enqueue(
      lease.terms.id,
      lease.terms.expiresAt,
      () => lease.unused,
      () => lease.running > 0,
    );
  }

  /** Takes a request for a lease without an answer: it may have been granted. */
  returnPending({ request, amount, sentAt }: PendingLease, lifetimeMs: number): void {
    this.enqueue(
      request.lease_id,
      sentAt + lifetimeMs,
      () => amount,
      () => false,
    );
  }

  /** Returns a lease and waits for the answer. A failed call is repeated later. */
  async returnNow(lease: Lease): Promise<void> {
    await this.send(this.add(lease));
  }

  /** Sends the returns that are due. */
  sweep(): void {
    const now = this.clock.now().getTime();
    let count = 0;
    for (const one of this.waiting.values()) {
      if (now >= one.expiresAt) this.waiting.delete(one.id);
      else if (!one.isSending && (!one.isBusy() || now - one.closedAt >= RUNNING_WAIT_MS) && count < MAX_CONCURRENT) {
        count += 1;
        void this.send(one);
      }
    }
  }

  /** Sends all returns, also of leases with running attempts, and waits for the answers. */
  async flush(): Promise<void> {
    await Promise.all([...this.waiting.values()].map((one) => this.send(one)));
  }

  private enqueue(id: string, expiresAt: number, getUnused: () => Usd, isBusy: () => boolean): LeaseReturn {
    const closedAt = this.clock.now().getTime();
    const one = { id, getUnused, isBusy, closedAt, expiresAt, isSending: false };
    this.waiting.set(id, one);
    return one;
  }

  private async send(one: LeaseReturn): Promise<void> {
    if (this.calls.isAway || one.isSending) return;
    one.isSending = true;
    try {
      // The amount can grow until the call arrives. Only the first call that arrives counts.
      await this.calls.send((signal) => this.budgets.returnLease(one.id, writeUsd(one.getUnused()), signal));
      this.waiting.delete(one.id);
    } catch (error) {
      if (!(error instanceof ManagerError)) return;
      this.waiting.delete(one.id);
      // 404: the lease was never granted, or its row is gone.
      if (error.status !== 404) this.log.error({ err: error, lease_id: one.id }, 'a lease could not be returned');
    } finally {
      one.isSending = false;
    }
  }
}
