import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BudgetScope } from '../budgets/cell.ts';
import type { Period } from '../budgets/period.ts';
import { keysetSql, type KeysetStep } from '../database/keyset.ts';

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
 * Charges in the database. The statements are not prepared: Postgres plans each with its values, so that months outside of the times are not looked at and
 * the index follows the rarest of the filters.
 */
@Injectable()
export class ChargesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Charges, newest first. */
  list(filter: ChargeFilter, step: KeysetStep): Promise<ChargeRow[]> {
    const { scope, subject_id } = filter;
    const params: unknown[] = [];
    if (subject_id === undefined || scope !== undefined) return this.read(part(filter, step, params), params);
    // An index has the scope behind the subject: both are read in order of time and merged, instead of sorting all that the subject ever paid.
    const parts = (['user', 'group'] as const).map((one) => part({ ...filter, scope: one }, step, params));
    const { orderBy } = ordered(step, []);
    const limit = `$${params.push(step.limit)}::int`;
    return this.read(
      `SELECT ${COLUMNS} FROM (${parts.map((text) => `(${text})`).join(' UNION ALL ')}) AS both_scopes ORDER BY ${orderBy} LIMIT ${limit}`,
      params,
    );
  }

  private read(text: string, params: unknown[]): Promise<ChargeRow[]> {
    return this.dataSource.query(text, params);
  }
}

const ordered = (step: KeysetStep, params: unknown[]) =>
  keysetSql(
    step,
    [
      ['event_time', 'timestamptz'],
      ['id', 'uuid'],
    ],
    'descending',
    params,
  );

function part(filter: ChargeFilter, step: KeysetStep, params: unknown[]): string {
  const conditions = [];
  const { from, to, ...equal } = filter;
  if (from !== undefined) conditions.push(`event_time >= $${params.push(from)}::timestamptz`);
  if (to !== undefined) conditions.push(`event_time < $${params.push(to)}::timestamptz`);
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) conditions.push(`${column} = $${params.push(value)}::text`);
  const { where, orderBy } = ordered(step, params);
  // A row comparison alone does not tell the planner which months cannot matter.
  if (step.from !== undefined)
    conditions.push(
      `event_time ${step.direction === 'forward' ? '<=' : '>='} $${params.push(step.from[0])}::timestamptz`,
    );
  const limit = `$${params.push(step.limit)}::int`;
  return `SELECT ${COLUMNS} FROM charges WHERE ${[...conditions, where].join(' AND ')} ORDER BY ${orderBy} LIMIT ${limit}`;
}
