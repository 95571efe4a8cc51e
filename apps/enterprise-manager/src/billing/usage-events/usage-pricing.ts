import { computeCharge } from '@gatehouse/money/charge';
import { UsageCountError } from '@gatehouse/money/counts';
import { type Rates, VENDORS, type Vendor } from '@gatehouse/money/rates';
import { type Usage, readUsage } from '@gatehouse/money/usage';
import { USD_INTEGER_DIGITS, type Usd } from '@gatehouse/money/usd';
import type { Outcome } from './usage-report.ts';

/** The basis of a charge: the usage that the vendor reported, an estimate, or no known usage. */
export type Basis = 'reported' | 'estimated' | 'none';

/** The charge of an attempt, and the usage that it covers. */
export interface PricedUsage {
  charged: Usd;
  basis: Basis;
  usage: Usage;
}

/** The reported and estimated usage of an attempt. */
export interface UsageFacts {
  outcome: Outcome;
  raw_usage: Readonly<Record<string, unknown>> | null;
  estimated_usage?: Readonly<Record<string, unknown>> | null | undefined;
}

const UNIT = 10n ** 9n;
/** Charges must stay below this limit, because of the digits of an amount. */
const CHARGE_LIMIT = 10n ** BigInt(USD_INTEGER_DIGITS) * UNIT;

/**
 * Prices an attempt by the usage that the vendor reported, otherwise by the gateway's estimate,
 * otherwise by the estimate of its admission, unless the upstream failed. An attempt is free only
 * if its usage is zero or unknown.
 * @param admitted the cost that its admission estimated; undefined without an admission
 * @throws UsageCountError with the name of the field
 */
export function priceUsage(
  { outcome, raw_usage, estimated_usage }: UsageFacts,
  rates: Rates,
  admitted: Usd | undefined,
): PricedUsage {
  const reported = readField(rates.vendor, 'raw_usage', raw_usage);
  const estimated = readField(rates.vendor, 'estimated_usage', estimated_usage);
  if (reported !== undefined)
    return { charged: computeStorableCharge(rates, 'raw_usage', reported), basis: 'reported', usage: reported };
  if (estimated !== undefined)
    return {
      charged: computeStorableCharge(rates, 'estimated_usage', estimated),
      basis: 'estimated',
      usage: estimated,
    };
  if (outcome !== 'upstream_error' && admitted !== undefined)
    return { charged: admitted, basis: 'estimated', usage: {} };
  return { charged: 0n, basis: 'none', usage: {} };
}

/**
 * Validates the usage of a model without a price, whose vendor is unknown: the counts must be valid
 * for each vendor.
 * @throws UsageCountError with the name of the field
 */
export function validateUsage({ raw_usage, estimated_usage }: UsageFacts): void {
  for (const vendor of VENDORS) {
    readField(vendor, 'raw_usage', raw_usage);
    readField(vendor, 'estimated_usage', estimated_usage);
  }
}

function readField(vendor: Vendor, field: string, object: UsageFacts['estimated_usage']): Usage | undefined {
  if (object === null || object === undefined) return undefined;
  try {
    return readUsage(vendor, object);
  } catch (error) {
    throw error instanceof UsageCountError ? new UsageCountError(`${field}.${error.field}`, error.reason) : error;
  }
}

function computeStorableCharge(rates: Rates, field: string, usage: Usage): Usd {
  const charged = computeCharge(rates, usage);
  if (charged >= CHARGE_LIMIT) throw new UsageCountError(field, 'comes to more than an amount can hold');
  return charged;
}
