import { chargeOf } from '@gatehouse/money/charge';
import { UsageCountError } from '@gatehouse/money/counts';
import { type Rates, VENDORS, type Vendor } from '@gatehouse/money/rates';
import { type Usage, readUsage } from '@gatehouse/money/usage';
import { USD_INTEGER_DIGITS, type Usd } from '@gatehouse/money/usd';
import type { Outcome } from './usage-report.ts';

/**
 * On what a charge rests: what the vendor reported, what was estimated, or nothing that could be
 * charged.
 */
export type Basis = 'reported' | 'estimated' | 'none';

/** What is charged for an attempt, and for what. */
export interface PricedUsage {
  charged: Usd;
  basis: Basis;
  usage: Usage;
}

/** What is known about what an attempt used. */
export interface UsageFacts {
  outcome: Outcome;
  raw_usage: Readonly<Record<string, unknown>> | null;
  estimated_usage?: Readonly<Record<string, unknown>> | null | undefined;
}

const UNIT = 10n ** 9n;
/** What no charge reaches: an amount has room for so many digits. */
const TOO_MUCH = 10n ** BigInt(USD_INTEGER_DIGITS) * UNIT;

/**
 * Prices an attempt: what the vendor reported, else the gateway's estimate, else that of its
 * admission, unless the upstream failed. An attempt is free only when it used nothing, or when
 * nothing at all is known of it.
 * @param admitted what its admission estimated it to cost, which is what it reserved where a budget
 * pays; undefined without one
 * @throws UsageCountError naming the field of the report
 */
export function priceUsage(
  { outcome, raw_usage, estimated_usage }: UsageFacts,
  rates: Rates,
  admitted: Usd | undefined,
): PricedUsage {
  const reported = read(rates.vendor, 'raw_usage', raw_usage);
  const estimated = read(rates.vendor, 'estimated_usage', estimated_usage);
  if (reported !== undefined)
    return { charged: costOf(rates, 'raw_usage', reported), basis: 'reported', usage: reported };
  if (estimated !== undefined)
    return { charged: costOf(rates, 'estimated_usage', estimated), basis: 'estimated', usage: estimated };
  if (outcome !== 'upstream_error' && admitted !== undefined)
    return { charged: admitted, basis: 'estimated', usage: {} };
  return { charged: 0n, basis: 'none', usage: {} };
}

/**
 * Refuses counts that no vendor's object can have, for usage whose vendor is not known because its
 * model has no price yet.
 * @throws UsageCountError naming the field of the report
 */
export function checkUsage({ raw_usage, estimated_usage }: UsageFacts): void {
  for (const vendor of VENDORS) {
    read(vendor, 'raw_usage', raw_usage);
    read(vendor, 'estimated_usage', estimated_usage);
  }
}

function read(vendor: Vendor, field: string, object: UsageFacts['estimated_usage']): Usage | undefined {
  if (object === null || object === undefined) return undefined;
  try {
    return readUsage(vendor, object);
  } catch (error) {
    throw error instanceof UsageCountError ? new UsageCountError(`${field}.${error.field}`, error.reason) : error;
  }
}

function costOf(rates: Rates, field: string, usage: Usage): Usd {
  const charged = chargeOf(rates, usage);
  if (charged >= TOO_MUCH) throw new UsageCountError(field, 'comes to more than an amount can hold');
  return charged;
}
