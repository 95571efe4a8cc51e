import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BudgetScope } from '../budgets/cell.ts';
import type { Period } from '../budgets/period.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';
import { buildEventTimePageSql, type RowFilter } from '../../database/event-time-page.ts';

/** A stored charge. */
export interface ChargeRow {
  id: string;
  event_id: string;
  interaction_id: string;
  attempt: number;
  event_time: string;
  auth_subject: string;
  provider: string;
  model: string;
  scope: BudgetScope;
  subject_id: string;
  charged_usd: string;
  basis: 'reported' | 'estimated' | 'none';
  usage: Record<string, number | string>;
  charge_period: Period;
  pricing_catalog_id: string;
}

/** The filter of a list. `from` is inclusive, `to` exclusive. */
export interface ChargeFilter {
  from?: string | undefined;
  to?: string | undefined;
  model?: string | undefined;
  scope?: BudgetScope | undefined;
  subject_id?: string | undefined;
  auth_subject?: string | undefined;
}

const COLUMNS =
  'id, event_id, interaction_id, attempt, event_time, auth_subject, provider, model, scope, subject_id, charged_usd, basis, usage, charge_period, pricing_catalog_id';

/**
 * Charges in the database. The statements are not prepared: Postgres plans each one with its
 * values, skips months outside the time range, and selects the index of the most selective filter.
 */
@Injectable()
export class ChargesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists charges, newest first. */
  list(filter: ChargeFilter, step: KeysetStep): Promise<ChargeRow[]> {
    const params: unknown[] = [];
    return this.dataSource.query(buildEventTimePageSql(COLUMNS, 'charges', splitFilter(filter), step, params), params);
  }
}

/**
 * Splits a filter into filters that an index can serve in the order of time. Most indexes begin
 * with the scope of the payer: without a scope, both scopes are read and merged. Otherwise Postgres
 * would sort all charges. Models have an index of their own.
 */
function splitFilter(filter: ChargeFilter): RowFilter[] {
  const { scope, subject_id, auth_subject, model } = filter;
  if (scope === undefined && (model === undefined || subject_id !== undefined || auth_subject !== undefined))
    return (['user', 'group'] as const).flatMap((one) => splitFilter({ ...filter, scope: one }));
  // A user as payer pays only for the user's own requests.
  if (scope !== 'user' || subject_id === undefined) return [{ ...filter }];
  return auth_subject === undefined || auth_subject === subject_id ? [{ ...filter, auth_subject: subject_id }] : [];
}
