import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BudgetScope } from '../budgets/cell.ts';
import type { Period } from '../budgets/period.ts';
import type { KeysetStep } from '../../database/keyset.ts';
import { inTimeOrder, type RowFilter } from '../../database/time-order.ts';

/** A charge as it lies in the database. */
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

/** Which charges a list shows. `from` is inclusive, `to` exclusive. */
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
 * Charges in the database. The statements are not prepared: Postgres plans each with its values, so
 * that months outside of the times are not looked at and the index follows the rarest of the
 * filters.
 */
@Injectable()
export class ChargesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Charges, newest first. */
  list(filter: ChargeFilter, step: KeysetStep): Promise<ChargeRow[]> {
    const params: unknown[] = [];
    return this.dataSource.query(inTimeOrder(COLUMNS, 'charges', partsOf(filter), step, params), params);
  }
}

/**
 * The filters that an index answers in order of time. Charges of a person, of a payer and of
 * everybody lie by who pays, people or groups: without that, both are read and merged, instead of
 * sorting all that there ever was. Models lie by themselves.
 */
function partsOf(filter: ChargeFilter): RowFilter[] {
  const { scope, subject_id, auth_subject, model } = filter;
  if (scope === undefined && (model === undefined || subject_id !== undefined || auth_subject !== undefined))
    return (['user', 'group'] as const).flatMap((one) => partsOf({ ...filter, scope: one }));
  // Who pays as a person pays for the own requests alone, and is found by those.
  if (scope !== 'user' || subject_id === undefined) return [{ ...filter }];
  return auth_subject === undefined || auth_subject === subject_id ? [{ ...filter, auth_subject: subject_id }] : [];
}
