import { computeCharge } from '@gatehouse/money/charge';
import { UsageCountError } from '@gatehouse/money/counts';
import type { PriceList } from '@gatehouse/money/price-list';
import type { Rates } from '@gatehouse/money/rates';
import { readUsage } from '@gatehouse/money/usage';
import type { Usd } from '@gatehouse/money/usd';
import type { JsonObject } from '../formats/model-request.ts';

/** The terms of a granted lease. Times are milliseconds since the epoch. */
export interface LeaseTerms {
  readonly id: string;
  readonly granted: Usd;
  /** Whether a budget pays. Without one, spending is unlimited and the lease reserves nothing. */
  readonly hasPayer: boolean;
  /** The version of the virtual key at the decision; 0 without a key. */
  readonly keyVersion: number;
  /** The prices of all usage of the lease. */
  readonly prices: PriceList;
  /** The earliest time of its usage: an earlier one could lie in another budget window. */
  readonly startsAt: number;
  /** The time at which a further lease is requested. */
  readonly renewsAt: number;
  /** The end of admissions. Attempts that run then have time to end before the lease does. */
  readonly admitsUntil: number;
  /** The time at which the enterprise manager releases the amount. */
  readonly expiresAt: number;
}

/** A part of a budget from which the gateway admits attempts (spec/7, "Leases"). */
export class Lease {
  private unreserved: Usd;
  private attempts = 0;

  constructor(readonly terms: LeaseTerms) {
    this.unreserved = terms.granted;
  }

  /** The amount that no attempt has used or reserved; not negative. */
  get unused(): Usd {
    return this.unreserved > 0n ? this.unreserved : 0n;
  }

  /** The number of attempts that are not finished. */
  get running(): number {
    return this.attempts;
  }

  /** @param keyVersion the version of the key of the attempt; 0 without a key */
  isOpen(now: number, keyVersion: number): boolean {
    return now < this.terms.admitsUntil && keyVersion <= this.terms.keyVersion;
  }

  shouldRenew(now: number): boolean {
    return now >= this.terms.renewsAt || this.unreserved * 4n < this.terms.granted;
  }

  /**
   * Reserves the estimated cost of an attempt. An attempt without a cost needs no amount.
   * @returns false if the amount does not suffice
   */
  reserve(estimate: Usd): boolean {
    if (estimate > 0n && estimate > this.unreserved) return false;
    this.unreserved -= estimate;
    this.attempts += 1;
    return true;
  }

  /**
   * Takes the charge of a finished attempt in place of its estimate. A charge above the estimate
   * can make the amount negative; the lease then admits nothing more.
   */
  settle(estimate: Usd, charge: Usd): void {
    this.unreserved += estimate - charge;
    this.attempts -= 1;
  }
}

/**
 * Computes the charge of an attempt as the enterprise manager does.
 * @param usage undefined for an attempt without a charge
 * @param estimate the charge of a usage object that cannot be read
 */
export function computeAttemptCharge(rates: Rates, usage: JsonObject | undefined, estimate: Usd): Usd {
  if (usage === undefined) return 0n;
  try {
    const counts = readUsage(rates.vendor, usage);
    return counts === undefined ? 0n : computeCharge(rates, counts);
  } catch (error) {
    if (error instanceof UsageCountError) return estimate;
    throw error;
  }
}
