import type { Usd } from '@gatehouse/money/usd';
import type { Payer } from '../budgets/cell.ts';
import type { Period } from '../budgets/period.ts';
import type { PricedUsage } from './pricing-of-usage.ts';
import type { UsageReport } from './usage-report.ts';

/** A usage event as it is stored: a report, and whom and what it was found to speak of. */
export interface UsageEvent {
  id: string;
  report: UsageReport;
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
}

/** What an event is charged with, and to whom. It has its event's id: an event is charged once. */
export interface Charge extends PricedUsage {
  id: string;
  event_time: string;
  interaction_id: string;
  attempt: number;
  auth_subject: string;
  provider: string;
  model: string;
  payer: Payer;
  charge_period: Period;
  pricing_catalog_id: string;
}

/** An event whose model had no price when it came. Who pays is fixed; what it comes to is not known yet. */
export interface UnpricedEvent {
  event_id: string;
  event_time: string;
  interaction_id: string;
  provider: string;
  model: string;
  payer: Payer;
  charge_period: Period;
  /** What its admission reserved. */
  reserved: Usd | undefined;
}
