import type { Usd } from '@gatehouse/money/usd';
import type { Payer } from '../budgets/cell.ts';
import type { Period } from '../budgets/period.ts';
import type { PricedUsage } from './pricing-of-usage.ts';
import type { Price } from './settlement.ts';
import type { TextedReport } from './usage-report.ts';

/**
 * A usage event as it is stored: a report, whom and what it was found to speak of, who pays, and
 * what it comes to.
 */
export interface UsageEvent {
  id: string;
  report: TextedReport;
  /** The time that it is charged to, RFC 3339 in UTC. */
  event_time: string;
  ingest_time: string;
  auth_issuer: string;
  /** The person (`personRef`). */
  auth_subject: string;
  platform_user_id: string | undefined;
  platform_groups: readonly string[];
  virtual_key_id: string | undefined;
  reservation_id: string | undefined;
  payer: Payer;
  charge_period: Period;
  /** Undefined where the model has no price. */
  price: Price | undefined;
}

/** What somebody is charged with, as it is added up. */
export interface Charge {
  /** RFC 3339 in UTC. */
  event_time: string;
  auth_subject: string;
  provider: string;
  model: string;
  payer: Payer;
  charged: Usd;
}

/**
 * An event whose model had no price when it came. Who pays is fixed; what it comes to is not known
 * yet.
 */
export interface UnpricedEvent {
  event_id: string;
  event_time: string;
  interaction_id: string;
  provider: string;
  model: string;
  /** What its admission reserved. */
  reserved: Usd | undefined;
}

/** What a waiting event comes to, by a version of the catalog. */
export interface LateCharge extends Charge, PricedUsage {
  event_id: string;
  interaction_id: string;
}
