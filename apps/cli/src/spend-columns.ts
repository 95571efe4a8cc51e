import { dollars } from './amounts.ts';
import type { Column } from './manager-command.ts';
import type { ChargeDifference } from './services/manager/charge-audit.ts';
import type { Schemas } from './services/manager/manager.ts';

/** The columns of charges. */
export const CHARGE_COLUMNS: readonly Column<Schemas['Charge']>[] = [
  ['TIME', (charge) => charge.event_time],
  ['PERSON', (charge) => charge.auth_subject],
  ['PAID BY', (charge) => (charge.scope === 'user' ? charge.subject_id : `group ${charge.subject_id}`)],
  ['PROVIDER', (charge) => charge.provider],
  ['MODEL', (charge) => charge.model],
  ['CHARGED', (charge) => dollars(charge.charged_usd)],
  ['BASIS', (charge) => charge.basis],
  ['ID', (charge) => charge.id],
];

/** The columns of usage events. */
export const EVENT_COLUMNS: readonly Column<Schemas['UsageEvent']>[] = [
  ['TIME', (event) => event.event_time],
  ['PERSON', (event) => event.auth_subject],
  ['PROVIDER', (event) => event.provider],
  ['MODEL', (event) => event.model],
  ['OUTCOME', (event) => event.outcome],
  ['STATUS', (event) => event.upstream_status],
  ['MS', (event) => event.duration_ms],
  ['ID', (event) => event.id],
];

/** The columns of a series. */
export const DAY_COLUMNS: readonly Column<Schemas['SpendBucket']>[] = [
  ['DAY', ({ date }) => date],
  ['SPENT', ({ usd }) => dollars(usd)],
];

/** A line of a breakdown: of which dimension it is, and what it comes to. */
export interface Share {
  readonly dimension: string;
  readonly value: string;
  readonly used_usd: string;
}

/** The columns of a breakdown. */
export const SHARE_COLUMNS: readonly Column<Share>[] = [
  ['BY', ({ dimension }) => dimension],
  ['VALUE', ({ value }) => value],
  ['USED', ({ used_usd: used }) => dollars(used)],
];

/** The columns of what differs in charges. */
export const DIFFERENCE_COLUMNS: readonly Column<ChargeDifference>[] = [
  ['TIME', (difference) => difference.event_time],
  ['CHARGE', (difference) => difference.charge_id],
  ['FIELD', (difference) => difference.field],
  ['EXPECTED', (difference) => difference.expected],
  ['FOUND', (difference) => difference.actual],
];
