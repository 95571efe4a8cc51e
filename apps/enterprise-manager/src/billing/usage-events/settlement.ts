import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { UsageCountError } from '@gatehouse/money/counts';
import type { Usd } from '@gatehouse/money/usd';
import type { Reservation } from '../admission/reservation.ts';
import type { ReservationsById } from '../admission/reservations.repository.ts';
import type { Payer } from '../budgets/cell.ts';
import { type Period, getChargePeriod } from '../budgets/period.ts';
import type { Principal } from '../budgets/principals.repository.ts';
import type { CatalogPrices } from '../pricing/price-lists.ts';
import { type PricedUsage, checkUsage, priceUsage } from './pricing-of-usage.ts';
import { MAX_SUBJECT_BYTES, type TextedReport } from './usage-report.ts';

/** How far a gateway's clock may be ahead, in milliseconds. */
const CLOCK_TOLERANCE_MS = 300_000;

/** A report that is well formed. */
export interface ReadReport {
  report: TextedReport;
  /** `attemptId` of the report. */
  id: string;
  /** The id that a reservation of its attempt has. */
  own_id: string;
  /** `contentOf` the report. */
  content: string;
}

/** A report with all that its settlement rests on. */
export interface Case {
  report: TextedReport;
  principal: Principal;
  /** What the attempt's own admission reserved. */
  admission: Reservation | undefined;
  /** What the attempt draws from, where it has no admission of its own. */
  lease: Reservation | undefined;
  /** The time that it is charged to. */
  time: Date;
  /** The same as text, RFC 3339 in UTC. */
  event_time: string;
}

/** Why a report cannot be taken in: a sentence that begins with the field's name. */
export class ReportRefused extends GatehouseError {
  override readonly code = 'report_refused';
}

/**
 * Finds out what a report speaks of. An attempt that was admitted is settled by its admission, also
 * where a lease is named; its time is that of the admission, since that is the window in which its
 * amount was reserved.
 * @param horizon the oldest time that is taken in
 * @throws ReportRefused
 */
export function caseOf(
  { report, own_id: own }: Pick<ReadReport, 'report' | 'own_id'>,
  principal: Principal | undefined,
  reservations: ReservationsById,
  { now, horizon }: { now: Date; horizon: Date },
): Case {
  if (principal === undefined) throw new ReportRefused('principal.virtual_key_id: there is no such key');
  if (Buffer.byteLength(principal.subject_id) > MAX_SUBJECT_BYTES)
    throw new ReportRefused(`principal: its name must have at most ${MAX_SUBJECT_BYTES} bytes`);
  const find = (id: string): Reservation | undefined => {
    const found = reservations.get(id);
    const granted = found?.filter(({ gateway_id }) => gateway_id === report.gateway_id) ?? [];
    return granted.find(({ subject_id }) => subject_id === principal.subject_id) ?? granted[0] ?? found?.[0];
  };
  const named = report.reservation_id;
  const admission = find(own);
  const other = named === undefined || named === own ? undefined : find(named);
  refuseOtherGateways(report, 'interaction_id', admission);
  refuseOtherGateways(report, 'reservation_id', other);
  if (other?.kind === 'request') throw new ReportRefused('reservation_id: is that of another attempt');
  refuseOthers(principal, 'interaction_id', admission);
  refuseOthers(principal, 'reservation_id', other);
  const lease = admission === undefined ? other : undefined;
  const time = admission?.admitted_at ?? new Date(report.event_time);
  // The time of an admission is ours: a replica whose clock is behind that of the one that admitted
  // must not turn its usage away for good.
  if (admission === undefined && time.getTime() > now.getTime() + CLOCK_TOLERANCE_MS)
    throw new ReportRefused('event_time: lies in the future');
  if (time.getTime() < horizon.getTime())
    throw new ReportRefused('event_time: is older than what is kept; whether it was charged before cannot be known');
  const event_time = admission === undefined ? report.event_time : time.toISOString();
  return { report, principal, admission, lease, time, event_time };
}

/** Refuses before anything else is compared: the sentence tells nothing about the reservation. */
function refuseOtherGateways(
  { gateway_id }: Pick<TextedReport, 'gateway_id'>,
  field: string,
  reservation: Reservation | undefined,
): void {
  if (reservation !== undefined && reservation.gateway_id !== gateway_id)
    throw new ReportRefused(`${field}: there is no such reservation of this gateway`);
}

function refuseOthers({ subject_id }: Principal, field: string, reservation: Reservation | undefined): void {
  if (reservation !== undefined && reservation.subject_id !== subject_id)
    throw new ReportRefused(`principal: is not the person for whom this ${field} was admitted`);
}

/** A price, and the version of the catalog that it is of. */
export type Price = PricedUsage & { pricing_catalog_id: string };

/** A case with its price; without one for a model that has none. */
export interface PricedCase extends Case {
  price: Price | undefined;
}

/**
 * The price of a case by a version of the catalog; undefined for a model that has none in it.
 * @throws ReportRefused for counts that are none
 */
export function priceOf({ report, admission }: Case, prices: CatalogPrices | undefined): Price | undefined {
  const rates = prices?.prices.find(report.provider, report.model);
  try {
    if (prices !== undefined && rates !== undefined)
      return { ...priceUsage(report, rates, admission?.amount), pricing_catalog_id: prices.id };
    checkUsage(report);
    return undefined;
  } catch (error) {
    if (error instanceof UsageCountError) throw new ReportRefused(error.message);
    throw error;
  }
}

/** Who pays, and the period that the charge names. */
export interface Payment {
  payer: Payer;
  charge_period: Period;
}

/** Who was fixed when the request was admitted; undefined for one that was not. */
export function fixedPayment({ principal, admission, lease }: Case): Payment | undefined {
  const reservation = admission ?? lease;
  if (reservation === undefined) return undefined;
  return { payer: reservation.payer ?? personal(principal), charge_period: reservation.charge_period };
}

/**
 * Who pays without an admission: the first in order who can, else the first, else the person, for
 * whom there is no budget then.
 */
export function paymentWithout(
  { candidates, ...principal }: Principal,
  canPay: (candidate: Principal['candidates'][number]) => boolean,
): Payment {
  const payer = candidates.find(canPay) ?? candidates[0];
  return {
    payer: payer === undefined ? personal(principal) : { scope: payer.scope, subject_id: payer.subject_id },
    charge_period: getChargePeriod(payer?.limits.map(({ period }) => period) ?? []),
  };
}

const personal = ({ subject_id }: Pick<Principal, 'subject_id'>): Payer => ({ scope: 'user', subject_id });

/** What leases still hold while a batch draws from them, one request after the other. */
export class Draws {
  private readonly left = new Map<string, { lease: Reservation; held: Usd }>();

  /** Draws an amount, as far as the lease still holds it. @returns what was drawn */
  draw(lease: Reservation, amount: Usd): Usd {
    const { held } = this.left.get(lease.id) ?? lease;
    const drawn = amount < held ? amount : held;
    if (drawn > 0n) this.left.set(lease.id, { lease, held: held - drawn });
    return drawn;
  }

  /** What the leases that were drawn from hold now, by id. */
  held(): Map<string, Usd> {
    return new Map([...this.left].map(([id, { held }]) => [id, held]));
  }
}
