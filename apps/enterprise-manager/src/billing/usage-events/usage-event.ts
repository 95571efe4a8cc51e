import type { Usd } from '@gatehouse/money/usd';
import type { Payer } from '../budgets/cell.ts';
import type { Period } from '../budgets/period.ts';
import type { PricedUsage } from './usage-pricing.ts';
import type { Price } from './settlement.ts';
import type { VerbatimReport } from './usage-report.ts';

/** A stored usage event: a report with its principal, its reservation, its payer and its price. */
export interface UsageEvent {
  id: string;
  report: VerbatimReport;
  /** The time to which the event is charged, RFC 3339 in UTC. */
  event_time: string;
  ingest_time: string;
  auth_issuer: string;
  /** The owner reference of the user (`getOwnerRef`). */
  auth_subject: string;
  platform_user_id: string | undefined;
  platform_groups: readonly string[];
  virtual_key_id: string | undefined;
  reservation_id: string | undefined;
  payer: Payer;
  charge_period: Period;
  /** Undefined for a model without a price. */
  price: Price | undefined;
}

/** The fields of a charge by which sums and cells add it up. */
export interface Charge {
  /** RFC 3339 in UTC. */
  event_time: string;
  auth_subject: string;
  provider: string;
  model: string;
  payer: Payer;
  charged: Usd;
}

/** An event whose model had no price when it was reported. Its payer is fixed. */
export interface UnpricedEvent {
  event_id: string;
  event_time: string;
  interaction_id: string;
  provider: string;
  model: string;
  /** The amount that its admission reserved. */
  reserved: Usd | undefined;
}

/** An unpriced event with the charge that a later version of the catalog gives it. */
export interface RechargedEvent extends Charge, PricedUsage {
  event_id: string;
  interaction_id: string;
}
