import { estimateModelRequest } from '@gatehouse/money/estimate';
import type { Rates } from '@gatehouse/money/rates';
import type { Usd } from '@gatehouse/money/usd';
import type { AdmissionQuery } from './admission.ts';
import type { LeaseRequest } from './budget-calls.ts';
import type { Denial } from './denial.ts';
import type { Lease } from './lease.ts';
import { Turns } from './turns.ts';

/** Leases of one principal at once: one that ends, and the next ones. */
const MAX_LEASES = 3;
/** Single admissions of one principal at once. A denial of one often decides those that wait. */
const MAX_SINGLE_ADMISSIONS = 32;

/** The estimated cost of an attempt, reserved in a lease. */
export interface LeaseDraw {
  readonly lease: Lease;
  readonly rates: Rates;
  readonly estimate: Usd;
}

/** A request for a lease without an answer so far. It is repeated with the same content. */
export interface PendingLease {
  readonly request: LeaseRequest;
  readonly amount: Usd;
  /** The first time it was sent, in milliseconds since the epoch. */
  readonly sentAt: number;
}

/** The leases of one principal, and the calls that wait for them. */
export class PrincipalAccount {
  /** The open leases, oldest first. */
  private leases: Lease[] = [];
  /** The running request for a lease; true is a lease. */
  request: Promise<boolean> | undefined;
  pending: PendingLease | undefined;
  /** The last denial, while it is remembered. */
  denial: Denial | undefined;
  /** No lease is requested before this time, after one that was refused. */
  noLeaseBefore = 0;
  /** Calls that wait for admission, and their estimated cost. */
  waiting = { calls: 0, usd: 0n };
  readonly singleAdmissions = new Turns(MAX_SINGLE_ADMISSIONS);
  lastUsedAt = 0;

  /** @param retire takes a lease that admits nothing more, to return its unused amount */
  constructor(private readonly retire: (lease: Lease) => void) {}

  get openLeases(): readonly Lease[] {
    return this.leases;
  }

  /** Reserves the estimated cost of an attempt in a lease. @returns undefined if none can pay */
  draw({ principal, provider, model, estimate: size }: AdmissionQuery, now: number): LeaseDraw | undefined {
    for (const [index, lease] of this.leases.entries()) {
      if (!lease.isOpen(now, principal.keyVersion)) continue;
      const rates = lease.terms.prices.find(provider, model);
      if (rates === undefined) continue;
      const estimate = estimateModelRequest(rates, model, size);
      if (!lease.reserve(estimate)) continue;
      this.lastUsedAt = now;
      if (index > 0) this.close((_, at) => at < index);
      return { lease, rates, estimate };
    }
    return undefined;
  }

  shouldRenew(now: number): boolean {
    const newest = this.leases.at(-1);
    return (
      this.request === undefined &&
      now >= this.noLeaseBefore &&
      this.leases.length < MAX_LEASES &&
      newest?.shouldRenew(now) === true
    );
  }

  /** Adds a lease. It replaces leases without a payer, because a budget may apply now. */
  add(lease: Lease): void {
    this.close(({ terms }) => !terms.hasPayer || terms.keyVersion < lease.terms.keyVersion);
    this.leases.push(lease);
  }

  /** Closes the leases that admit nothing more, for a key of this version. */
  closeEnded(now: number, keyVersion = 0): void {
    this.close((lease) => !lease.isOpen(now, keyVersion));
  }

  /** Closes the leases without running attempts. The caller returns their unused amounts. */
  closeUnused(): Lease[] {
    const unused = this.leases.filter(({ running }) => running === 0);
    this.leases = this.leases.filter(({ running }) => running > 0);
    return unused;
  }

  /** Closes some leases: their unused amounts are returned. */
  close(shouldClose: (lease: Lease, index: number) => boolean = () => true): void {
    const closed = this.leases.filter(shouldClose);
    if (closed.length === 0) return;
    this.leases = this.leases.filter((lease) => !closed.includes(lease));
    closed.forEach((lease) => this.retire(lease));
  }

  /** Whether nothing is known about the principal that a new account would not know. */
  isEmpty(now: number): boolean {
    return (
      this.leases.length === 0 &&
      this.request === undefined &&
      this.pending === undefined &&
      this.waiting.calls === 0 &&
      this.denial?.isRecent(now) !== true &&
      now >= this.noLeaseBefore
    );
  }
}
