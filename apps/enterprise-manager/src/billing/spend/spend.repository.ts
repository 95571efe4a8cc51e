import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { selectGroupsOfUser } from '../../people/group-sql.ts';
import type { Payer } from '../budgets/cell.ts';
import type { BudgetWindow, Period } from '../budgets/period.ts';
import { formatDate } from '../budgets/period.ts';
import type { UserIdentity } from '@gatehouse/auth/owner-ref';
import { sortEqualAmounts, type SpendEntry } from './entry-order.ts';
import { buildSpendSql, buildDaySumsSql, type SpendFilter } from './rollups.ts';
import type { SpendReadPlan } from './spend-buckets.ts';
import { addDays } from './time-zone.ts';

/** The periods of a payer's budgets, and whether the payer has charges. */
export interface PayerBudgets {
  /** The periods of the payer's own budgets. */
  periods: Period[];
  /** The period of the default user budget; undefined for groups. */
  defaultPeriod: Period | undefined;
  /**
   * Whether the directory contains the user, so that the default budget applies. False for groups.
   */
  isInDirectory: boolean;
  /** Whether the payer has a charge. */
  hasCharges: boolean;
}

/** The charged amounts by each dimension, in descending order. */
export type SpendLists = Record<'provider' | 'model' | 'user', SpendEntry[]>;

/**
 * A list from the database: two texts with one line for each entry, in the same order; null without
 * entries.
 */
interface SpendColumns {
  dimension: keyof SpendLists;
  values: string | null;
  amounts: string | null;
}

/**
 * The amounts that a group has paid for a user in the current window of each period, and the
 * periods of the group's budgets.
 */
export interface GroupShare {
  group_id: string;
  periods: Period[];
  day_usd: string;
  month_usd: string;
  year_usd: string;
}

interface PayerBudgetsRow {
  periods: Period[];
  by_default: Period | null;
  listed: boolean;
  charged: boolean;
}

const USER_BUDGETS = statement<PayerBudgetsRow>(`
  SELECT ARRAY(SELECT period FROM budgets WHERE subject_id = $1 AND scope = 'user') AS periods,
    (SELECT period FROM default_user_budget) AS by_default,
    EXISTS (SELECT FROM users WHERE issuer = $2 AND subject = $3) AS listed,
    EXISTS (SELECT FROM spend_daily WHERE auth_subject = $1 AND scope = 'user') AS charged`);
const GROUP_BUDGETS = statement<PayerBudgetsRow>(`
  SELECT ARRAY(SELECT period FROM budgets WHERE subject_id = $1 AND scope = 'group') AS periods, NULL AS by_default, FALSE AS listed,
    EXISTS (SELECT FROM group_spend_daily WHERE subject_id = $1) AS charged`);

/**
 * Selects one dimension of a breakdown: its values as one text and its amounts as another. A group
 * can have ten thousand users, and so many rows or JSON objects would take most of the time. Values
 * contain no line breaks. Equal amounts have any order.
 * @param sums a query of `value` and `used`
 */
const buildDimensionSql = (dimension: keyof SpendLists, sums: string) => `
  SELECT '${dimension}' AS dimension, string_agg(value, E'\\n') AS values, string_agg(used::text, E'\\n') AS amounts
  FROM (${sums} ORDER BY used DESC) AS sums`;
const buildColumnSumsSql = (dimension: keyof SpendLists, column: string) =>
  buildDimensionSql(dimension, `SELECT ${column} AS value, sum(charged_usd) AS used FROM spent GROUP BY ${column}`);

/**
 * All dimensions in one statement, so that they are of the same moment. A user as payer pays only
 * for the user's own requests.
 */
const USER_SPEND = statement<SpendColumns>(`
  WITH spent AS (
    SELECT provider, model, auth_subject, charged_usd FROM spend_daily
    WHERE auth_subject = $1 AND scope = 'user' AND day >= $2::date AND day < $3::date)
  ${[buildColumnSumsSql('provider', 'provider'), buildColumnSumsSql('model', 'model'), buildColumnSumsSql('user', 'auth_subject')].join(' UNION ALL ')}`);
/** Months and years have one row for each user. */
const buildGroupUsersSql = (period: Period): string =>
  period === 'day'
    ? `SELECT auth_subject AS value, sum(charged_usd) AS used FROM spend_daily WHERE day = $2::date AND subject_id = $1 AND scope = 'group' GROUP BY auth_subject`
    : `SELECT auth_subject AS value, charged_usd AS used FROM group_spend_by_person
       WHERE subject_id = $1 AND period = '${period}' AND period_start = $2::date`;
const createGroupSpendStatement = (period: Period) =>
  statement<SpendColumns>(`
  WITH spent AS MATERIALIZED (
    SELECT provider, model, sum(charged_usd) AS charged_usd FROM group_spend_daily
    WHERE subject_id = $1 AND day >= $2::date AND day < $3::date GROUP BY provider, model)
  ${[buildColumnSumsSql('provider', 'provider'), buildColumnSumsSql('model', 'model'), buildDimensionSql('user', buildGroupUsersSql(period))].join(' UNION ALL ')}`);
const GROUP_SPEND = {
  day: createGroupSpendStatement('day'),
  month: createGroupSpendStatement('month'),
  year: createGroupSpendStatement('year'),
};

/**
 * The groups of the user that have a budget, and the groups that have ever paid for the user.
 */
const SHARES = statement<GroupShare>(`
  WITH today AS (
    SELECT subject_id, sum(charged_usd) AS usd FROM spend_daily WHERE auth_subject = $1 AND day = $4::date AND scope = 'group' GROUP BY subject_id),
  paid AS (
    SELECT subject_id AS group_id,
      max(charged_usd) FILTER (WHERE period = 'month' AND period_start = $5::date) AS month_usd,
      max(charged_usd) FILTER (WHERE period = 'year' AND period_start = $6::date) AS year_usd
    FROM group_spend_by_person WHERE auth_subject = $1 GROUP BY subject_id),
  holding AS (
    SELECT held.id::text AS group_id FROM users u CROSS JOIN LATERAL (${selectGroupsOfUser('u.id')}) AS held WHERE u.issuer = $2 AND u.subject = $3),
  budgeted AS (
    SELECT h.group_id, array_agg(b.period) AS periods FROM holding h JOIN budgets b ON b.scope = 'group' AND b.subject_id = h.group_id GROUP BY h.group_id)
  SELECT COALESCE(p.group_id, b.group_id) AS group_id,
    COALESCE(b.periods, ARRAY(SELECT period FROM budgets WHERE scope = 'group' AND subject_id = p.group_id)) AS periods,
    COALESCE(t.usd, 0)::numeric(29, 9)::text AS day_usd, COALESCE(p.month_usd, 0)::numeric(29, 9)::text AS month_usd,
    COALESCE(p.year_usd, 0)::numeric(29, 9)::text AS year_usd
  FROM paid p FULL JOIN budgeted b ON b.group_id = p.group_id LEFT JOIN today t ON t.subject_id = p.group_id`);

/**
 * Reads of spend from the sums that settlement updates in the transaction of each charge. SQL by
 * hand: each result is one statement, so that its parts are of the same moment.
 */
@Injectable()
export class SpendRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Reads the budget periods of a payer. @param person the user of the subject; undefined for
   * groups
   */
  async readPayerBudgets({ scope, subject_id }: Payer, person: UserIdentity | undefined): Promise<PayerBudgets> {
    const row =
      scope === 'user'
        ? await USER_BUDGETS.row(this.dataSource.manager, [subject_id, person?.issuer ?? null, person?.subject ?? null])
        : await GROUP_BUDGETS.row(this.dataSource.manager, [subject_id]);
    return {
      periods: row?.periods ?? [],
      defaultPeriod: row?.by_default ?? undefined,
      isInDirectory: row?.listed ?? false,
      hasCharges: row?.charged ?? false,
    };
  }

  /** Reads the amounts that were charged to a payer in a window. */
  async readLists({ scope, subject_id }: Payer, { period, start, end }: BudgetWindow): Promise<SpendLists> {
    const read = scope === 'user' ? USER_SPEND : GROUP_SPEND[period];
    const rows = await read.rows(this.dataSource.manager, [subject_id, formatDate(start), formatDate(end)]);
    const lists: SpendLists = { provider: [], model: [], user: [] };
    for (const { dimension, values, amounts } of rows) {
      const [names, used] = [values?.split('\n') ?? [], amounts?.split('\n') ?? []];
      // Without this check, amounts would belong to other values.
      if (names.length !== used.length) throw new Error(`a ${dimension} has a line break in its name`);
      lists[dimension] = sortEqualAmounts(names.map((value, at) => ({ value, used_usd: used[at] ?? '' })));
    }
    return lists;
  }

  /** Reads the amounts that groups have paid for a user. @param windows the current windows */
  readShares(
    subjectId: string,
    person: UserIdentity | undefined,
    windows: Record<Period, BudgetWindow>,
  ): Promise<GroupShare[]> {
    const { day, month, year } = windows;
    return SHARES.rows(this.dataSource.manager, [
      subjectId,
      person?.issuer ?? null,
      person?.subject ?? null,
      formatDate(day.start),
      formatDate(month.start),
      formatDate(year.start),
    ]);
  }

  /** Reads the amount of each bucket with charges, by the date of the bucket. */
  async readSeries(filter: SpendFilter, plan: SpendReadPlan): Promise<ReadonlyMap<string, string>> {
    const params: unknown[] = [];
    const bind = (value: unknown) => `$${params.push(value)}`;
    const [first, last] = [plan.days[0], plan.days.at(-1)];
    // Each bucket is a day in UTC, so that the smallest sums are enough.
    const text =
      plan.corrections.length === 0 && first !== undefined && last !== undefined
        ? `SELECT day::text AS date, sum(charged_usd)::text AS usd FROM ${buildDaySumsSql(filter, { from: first.day, to: addDays(last.day, 1) }, bind)} GROUP BY day`
        : `SELECT bucket::text AS date, sum(charged_usd)::numeric(29, 9)::text AS usd FROM ${buildSpendSql(filter, plan, [], bind)} GROUP BY bucket HAVING sum(charge_count) > 0`;
    const rows: { date: string; usd: string }[] = await this.dataSource.query(text, params);
    return new Map(rows.map(({ date, usd }) => [date, usd]));
  }
}
