import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { UsageCountError } from '@gatehouse/money/counts';
import type { Usd } from '@gatehouse/money/usd';
import type { Reservation } from '../admission/reservation.ts';
import type { ReservationsById } from '../admission/reservations.repository.ts';
import type { Payer } from '../budgets/cell.ts';
import { type Period, getChargePeriod } from '../budgets/period.ts';
import type { Principal } from '../budgets/principals.repository.ts';
import type { CatalogPrices } from '../pricing/price-lists.ts';
import { type PricedUsage, validateUsage, priceUsage } from './usage-pricing.ts';
import { MAX_SUBJECT_BYTES, type VerbatimReport } from './usage-report.ts';

/** Maximum time by which the clock of a gateway may be ahead, in milliseconds. */
const CLOCK_TOLERANCE_MS = 300_000;

/** A report that its schema accepts, with the values that identify it. */
export interface ParsedReport {
  report: VerbatimReport;
  /** `getAttemptKey` of the report. */
  attemptKey: string;
  /** The id of the reservation that an admission of the attempt has. */
  admissionId: string;
  /** `computeContentHash` of the report. */
  contentHash: string;
}

/** A report with the principal and the reservation that its settlement needs. */
export interface SettlementCase {
  report: VerbatimReport;
  principal: Principal;
  /** The reservation of the attempt's own admission. */
  admission: Reservation | undefined;
  /** The lease of an attempt without an admission of its own. */
  lease: Reservation | undefined;
  /** The time to which the attempt is charged. */
  time: Date;
  /** `time` as text, RFC 3339 in UTC. */
  event_time: string;
}

/** A report cannot be settled. The message begins with the name of the field. */
export class ReportRejectedError extends GatehouseError {
  override readonly code = 'report_rejected';
}

/**
 * Resolves the reservation and the time of a report. The admission of an attempt takes precedence
 * over a lease that the report names. An admitted attempt has the time of its admission, which is
 * in the window of its reserved amount.
 * @param horizon the oldest accepted time
 * @throws ReportRejectedError
 */
export function resolveCase(
  { report, admissionId }: Pick<ParsedReport, 'report' | 'admissionId'>,
  principal: Principal | undefined,
  reservations: ReservationsById,
  { now, horizon }: { now: Date; horizon: Date },
): SettlementCase {
  if (principal === undefined) throw new ReportRejectedError('principal.virtual_key_id: there is no such key');
  if (Buffer.byteLength(principal.subject_id) > MAX_SUBJECT_BYTES)
    throw new ReportRejectedError(`principal: its name must have at most ${MAX_SUBJECT_BYTES} bytes`);
  const find = (id: string): Reservation | undefined => {
    const found = reservations.get(id);
    const granted = found?.filter(({ gateway_id }) => gateway_id === report.gateway_id) ?? [];
    return granted.find(({ subject_id }) => subject_id === principal.subject_id) ?? granted[0] ?? found?.[0];
  };
  const named = report.reservation_id;
  const admission = find(admissionId);
  const other = named === undefined || named === admissionId ? undefined : find(named);
  requireOwnGateway(report, 'interaction_id', admission);
  requireOwnGateway(report, 'reservation_id', other);
  if (other?.kind === 'request') throw new ReportRejectedError('reservation_id: belongs to another attempt');
  requireOwnSubject(principal, 'interaction_id', admission);
  requireOwnSubject(principal, 'reservation_id', other);
  const lease = admission === undefined ? other : undefined;
  const time = admission?.admitted_at ?? new Date(report.event_time);
  // Replicas set the times of admissions. A replica whose clock is behind must not reject them.
  if (admission === undefined && time.getTime() > now.getTime() + CLOCK_TOLERANCE_MS)
    throw new ReportRejectedError('event_time: lies in the future');
  if (time.getTime() < horizon.getTime())
    throw new ReportRejectedError(
      'event_time: is older than the stored usage; whether it was charged before cannot be known',
    );
  const event_time = admission === undefined ? report.event_time : time.toISOString();
  return { report, principal, admission, lease, time, event_time };
}

/**
 * Rejects the reservation of another gateway. This is the first check, since its message tells
 * nothing about the reservation.
 */
function requireOwnGateway(
  { gateway_id }: Pick<VerbatimReport, 'gateway_id'>,
  field: string,
  reservation: Reservation | undefined,
): void {
  if (reservation !== undefined && reservation.gateway_id !== gateway_id)
    throw new ReportRejectedError(`${field}: there is no such reservation of this gateway`);
}

function requireOwnSubject({ subject_id }: Principal, field: string, reservation: Reservation | undefined): void {
  if (reservation !== undefined && reservation.subject_id !== subject_id)
    throw new ReportRejectedError(`principal: is not the principal that this ${field} was admitted for`);
}

/** A price, with its version of the pricing catalog. */
export type Price = PricedUsage & { pricing_catalog_id: string };

/** A case with its price; undefined for a model without a price. */
export interface PricedCase extends SettlementCase {
  price: Price | undefined;
}

/**
 * Prices a case by a version of the pricing catalog; undefined for a model without a price.
 * @throws ReportRejectedError for invalid counts
 */
export function computeCasePrice(
  { report, admission }: SettlementCase,
  prices: CatalogPrices | undefined,
): Price | undefined {
  const rates = prices?.prices.find(report.provider, report.model);
  try {
    if (prices !== undefined && rates !== undefined)
      return { ...priceUsage(report, rates, admission?.amount), pricing_catalog_id: prices.id };
    validateUsage(report);
    return undefined;
  } catch (error) {
    if (error instanceof UsageCountError) throw new ReportRejectedError(error.message);
    throw error;
  }
}

/** The payer of a case, and the period that its charge names. */
export interface Payment {
  payer: Payer;
  charge_period: Period;
}

/** Returns the payment that the admission or lease fixed; undefined without either. */
export function getAdmittedPayment({ principal, admission, lease }: SettlementCase): Payment | undefined {
  const reservation = admission ?? lease;
  if (reservation === undefined) return undefined;
  return { payer: reservation.payer ?? getUserPayer(principal), charge_period: reservation.charge_period };
}

/**
 * Chooses the payer of a case without an admission: the first candidate that can pay, otherwise the
 * first candidate. Without candidates the user pays, without a budget.
 */
export function choosePayment(
  { candidates, ...principal }: Principal,
  canPay: (candidate: Principal['candidates'][number]) => boolean,
): Payment {
  const payer = candidates.find(canPay) ?? candidates[0];
  return {
    payer: payer === undefined ? getUserPayer(principal) : { scope: payer.scope, subject_id: payer.subject_id },
    charge_period: getChargePeriod(payer?.limits.map(({ period }) => period) ?? []),
  };
}

const getUserPayer = ({ subject_id }: Pick<Principal, 'subject_id'>): Payer => ({ scope: 'user', subject_id });

/** The amounts that leases hold while a batch draws from them, one request after the other. */
export class LeaseDraws {
  private readonly remaining = new Map<string, { lease: Reservation; held: Usd }>();

  /** Draws at most the amount that the lease still holds. @returns the drawn amount */
  draw(lease: Reservation, amount: Usd): Usd {
    const { held } = this.remaining.get(lease.id) ?? lease;
    const drawn = amount < held ? amount : held;
    if (drawn > 0n) this.remaining.set(lease.id, { lease, held: held - drawn });
    return drawn;
  }

  /** Returns the remaining amounts of the leases that were drawn from, by id. */
  getRemaining(): Map<string, Usd> {
    return new Map([...this.remaining].map(([id, { held }]) => [id, held]));
  }
}
