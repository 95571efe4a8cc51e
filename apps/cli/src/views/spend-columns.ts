import { dollars } from '../terminal/amounts.ts';
import type { Column } from '../base/manager-command.ts';
import type { ChargeDifference } from '../services/manager/charge-audit.ts';
import type { Schemas } from '../services/manager/manager.ts';
import type { NameResolver } from '../services/manager/names.ts';

/** The columns of charges. */
export const chargeColumns = (getName: NameResolver): readonly Column<Schemas['Charge']>[] => [
  ['TIME', (charge) => charge.event_time],
  ['USER', (charge) => getName('user', charge.auth_subject)],
  ['PAID BY', ({ scope, subject_id: payer }) => `${scope === 'user' ? '' : 'group '}${getName(scope, payer)}`],
  ['PROVIDER', (charge) => charge.provider],
  ['MODEL', (charge) => charge.model],
  ['CHARGED USD', (charge) => dollars(charge.charged_usd)],
  ['BASIS', (charge) => charge.basis],
  ['ID', (charge) => charge.id],
];

/** The columns of usage events. */
export const eventColumns = (getName: NameResolver): readonly Column<Schemas['UsageEvent']>[] => [
  ['TIME', (event) => event.event_time],
  ['USER', (event) => getName('user', event.auth_subject)],
  ['PROVIDER', (event) => event.provider],
  ['MODEL', (event) => event.model],
  ['OUTCOME', (event) => event.outcome],
  ['STATUS', (event) => event.upstream_status],
  ['MS', (event) => event.duration_ms],
  ['ID', (event) => event.id],
];

/** The columns of refused requests. */
export const denialColumns = (getName: NameResolver): readonly Column<Schemas['BudgetDenial']>[] => [
  ['MINUTE', (denial) => denial.minute],
  ['TIMES', (denial) => denial.denial_count],
  ['REASON', (denial) => denial.reason],
  ['USER', ({ auth_subject: id }) => (id === undefined ? undefined : getName('user', id))],
  ['KEY', (denial) => denial.virtual_key_id],
  ['MODEL', (denial) => denial.model],
  ['GATEWAY', (denial) => denial.gateway_id],
];

/** The columns of a daily series. */
export const DAY_COLUMNS: readonly Column<Schemas['SpendBucket']>[] = [
  ['DAY', ({ date }) => date],
  ['SPENT USD', ({ usd }) => dollars(usd)],
];

/** A line of a breakdown: a value of a dimension, and its amount. */
export interface Share {
  readonly dimension: 'model' | 'provider' | 'user' | 'group';
  readonly value: string;
  readonly used_usd: string;
}

/** Whether the values of a dimension are ids of users or groups. */
export const isSubject = (dimension: Share['dimension']): dimension is 'user' | 'group' =>
  dimension === 'user' || dimension === 'group';

/** The columns of a breakdown. */
export const shareColumns = (getName: NameResolver): readonly Column<Share>[] => [
  ['BY', ({ dimension }) => dimension],
  ['VALUE', ({ dimension, value }) => (isSubject(dimension) ? getName(dimension, value) : value)],
  ['USED USD', ({ used_usd: used }) => dollars(used)],
];

/** The columns of differences in charges. */
export const DIFFERENCE_COLUMNS: readonly Column<ChargeDifference>[] = [
  ['TIME', (difference) => difference.event_time],
  ['CHARGE', (difference) => difference.charge_id],
  ['FIELD', (difference) => difference.field],
  ['EXPECTED', (difference) => difference.expected],
  ['FOUND', (difference) => difference.actual],
];
