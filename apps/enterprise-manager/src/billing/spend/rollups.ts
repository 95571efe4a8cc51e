import type { BudgetScope } from '../budgets/cell.ts';
import type { SpendReadPlan, EdgeCorrection } from './spend-buckets.ts';
import { addDays } from './time-zone.ts';

/** The filter of charges. */
export interface SpendFilter {
  scope?: BudgetScope | undefined;
  subject_id?: string | undefined;
  /** The user that sent the request, independent of the payer. */
  auth_subject?: string | undefined;
  model?: string | undefined;
}

/** Days of UTC as dates, the last one exclusive. */
export interface SpendDays {
  from: string;
  to: string;
}

/** Adds a parameter to the statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

/**
 * Returns a subquery of the smallest table of sums (migration `CreateSpendSums`) that contains the
 * result. Its columns: `day`, `provider`, `model`, `charge_count`, `charged_usd`, and
 * `auth_subject` if `byPerson` is true.
 */
export function buildRollupSql(filter: SpendFilter, days: SpendDays, byPerson: boolean, bind: Bind): string {
  const { scope, subject_id, auth_subject, model } = filter;
  const columns = ['day', 'provider', 'model', 'charge_count', 'charged_usd', ...(byPerson ? ['auth_subject'] : [])];
  const selectRows = (table: string, ...conditions: string[]) => {
    const all = model === undefined ? conditions : [...conditions, `model = ${bind(model)}::text`];
    return `SELECT ${columns.join(', ')} FROM ${table} WHERE ${all.join(' AND ')}`;
  };
  const selectOfUser = (id: string, ...conditions: string[]) =>
    selectRows('spend_daily', `auth_subject = ${bind(id)}::text`, buildDayRangeSql('day', days, bind), ...conditions);
  if (auth_subject !== undefined) return `(${selectOfUser(auth_subject)}) AS spend`;
  if (subject_id === undefined) {
    const ofScope = scope === undefined ? [] : [`scope = ${bind(scope)}::text`];
    return `(${selectRows(byPerson ? 'spend_daily' : 'spend_by_model', buildDayRangeSql('day', days, bind), ...ofScope)}) AS spend`;
  }
  const buildSubjectCondition = () => `subject_id = ${bind(subject_id)}::text`;
  const paidBy = {
    // A user pays only for own requests, so the index of the requests finds them.
    user: () => selectOfUser(subject_id, `scope = 'user'`),
    group: () =>
      byPerson
        ? selectRows('spend_daily', buildEachDaySql(days, bind), buildSubjectCondition(), `scope = 'group'`)
        : selectRows('group_spend_daily', buildSubjectCondition(), buildDayRangeSql('day', days, bind)),
  };
  const parts = scope === undefined ? [paidBy.user(), paidBy.group()] : [paidBy[scope]()];
  return `(${parts.join(' UNION ALL ')}) AS spend`;
}

/**
 * Returns a subquery of the sums by day of all models, with `day` and `charged_usd`. The sums of
 * one payer are the used amounts of its daily cells.
 */
export function buildDaySumsSql(filter: SpendFilter, days: SpendDays, bind: Bind): string {
  const { scope, subject_id, auth_subject, model } = filter;
  if (auth_subject !== undefined || model !== undefined) return buildRollupSql(filter, days, false, bind);
  const scopes = `scope = ANY (${bind(scope === undefined ? ['user', 'group'] : [scope])}::text[])`;
  if (subject_id === undefined)
    return `(SELECT day, charged_usd FROM spend_totals WHERE ${buildDayRangeSql('day', days, bind)} AND ${scopes}) AS spend`;
  return `(SELECT period_start AS day, used_usd AS charged_usd FROM budget_cells
    WHERE subject_id = ${bind(subject_id)}::text AND ${scopes} AND period = 'day' AND ${buildDayRangeSql('period_start', days, bind)}) AS spend`;
}

/**
 * Writes a subquery of the charges of a plan (`planSpendReads`), with `bucket` (a date),
 * `charge_count`, `charged_usd` and the columns. It adds the sums of UTC days, and corrects the
 * edges of buckets with single charges. One statement reads both, so they are consistent.
 */
export function buildSpendSql(
  filter: SpendFilter,
  { days, corrections }: SpendReadPlan,
  columns: readonly string[],
  bind: Bind,
): string {
  const keys = columns.map((column) => `${column}, `).join('');
  const parts: string[] = [];
  const [first, last] = [days[0], days.at(-1)];
  if (first !== undefined && last !== undefined) {
    const range = { from: first.day, to: addDays(last.day, 1) };
    const sums = buildRollupSql(filter, range, columns.includes('auth_subject'), bind);
    const [day, date] = [days.map((one) => one.day), days.map((one) => one.date)].map(
      (list) => `${bind(list)}::date[]`,
    );
    parts.push(`
      SELECT b.bucket, ${keys}charge_count, charged_usd
      FROM ${sums} JOIN unnest(${day}, ${date}) AS b (day_of_bucket, bucket) ON b.day_of_bucket = spend.day`);
  }
  if (corrections.length > 0) parts.push(buildEdgeChargesSql(filter, corrections, columns, bind));
  if (parts.length === 0)
    return `(SELECT NULL::date AS bucket, ${keys}charge_count, charged_usd FROM spend_daily WHERE FALSE) AS spend`;
  return `(${parts.join(' UNION ALL ')}) AS spend`;
}

/** LATERAL with OFFSET 0 makes Postgres look up each range in the index of its time. */
function buildEdgeChargesSql(
  filter: SpendFilter,
  corrections: readonly EdgeCorrection[],
  columns: readonly string[],
  bind: Bind,
): string {
  const bindTimes = (side: 'from' | 'to') =>
    `${bind(corrections.map((correction) => correction[side].toISOString()))}::timestamptz[]`;
  const bindDates = (side: 'added' | 'taken') => `${bind(corrections.map((correction) => correction[side]))}::date[]`;
  const keys = columns.map((column) => `${column}, `).join('');
  const grouped = columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`;
  return `
    SELECT signed.bucket, ${keys}signed.sign * charge_count AS charge_count, signed.sign * charged_usd AS charged_usd
    FROM unnest(${bindTimes('from')}, ${bindTimes('to')}, ${bindDates('added')}, ${bindDates('taken')}) AS correction (begins, ends, added, taken)
    CROSS JOIN LATERAL (
      SELECT ${keys}count(*) AS charge_count, COALESCE(sum(charged_usd), 0) AS charged_usd FROM charges
      WHERE event_time >= correction.begins AND event_time < correction.ends AND ${buildChargesSql(filter, bind)} ${grouped} OFFSET 0) AS counted
    CROSS JOIN LATERAL (VALUES (correction.added, 1), (correction.taken, -1)) AS signed (bucket, sign)
    WHERE signed.bucket IS NOT NULL`;
}

/** A user pays only for own requests, so `auth_subject` finds the charges of a paying user. */
function buildChargesSql({ scope, subject_id, auth_subject, model }: SpendFilter, bind: Bind): string {
  const scopes: readonly BudgetScope[] = scope === undefined ? ['user', 'group'] : [scope];
  const conditions = [`scope = ANY (${bind(scopes)}::text[])`];
  if (auth_subject !== undefined) conditions.push(`auth_subject = ${bind(auth_subject)}::text`);
  if (model !== undefined) conditions.push(`model = ${bind(model)}::text`);
  if (subject_id !== undefined) {
    const id = `${bind(subject_id)}::text`;
    const paidBy = {
      user: `(scope = 'user' AND auth_subject = ${id})`,
      group: `(scope = 'group' AND subject_id = ${id})`,
    };
    conditions.push(`(${scopes.map((one) => paidBy[one]).join(' OR ')})`);
  }
  return conditions.join(' AND ');
}

const buildDayRangeSql = (column: string, { from, to }: SpendDays, bind: Bind): string =>
  `${column} >= ${bind(from)}::date AND ${column} < ${bind(to)}::date`;

/** Lists the days one by one, for a key that begins with the day. */
const buildEachDaySql = ({ from, to }: SpendDays, bind: Bind): string =>
  `day = ANY (ARRAY(SELECT ${bind(from)}::date + at FROM generate_series(0, ${bind(to)}::date - ${bind(from)}::date - 1) AS at))`;
