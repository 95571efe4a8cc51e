import type { BudgetScope } from '../budgets/cell.ts';

/** Which charges count. */
export interface SpendFilter {
  scope?: BudgetScope | undefined;
  subject_id?: string | undefined;
  /** Whose requests they were, whoever paid. */
  auth_subject?: string | undefined;
  model?: string | undefined;
}

/** Days of UTC as dates, the last one exclusive. */
export interface SpendDays {
  from: string;
  to: string;
}

/** Takes a parameter and gives its placeholder. */
export type Bind = (value: unknown) => string;

/**
 * The smallest of the tables of sums (migration `SpendByDay`) that can answer, as a subquery with `day`, `provider`, `model`, `charge_count`, `charged_usd`, and
 * `auth_subject` where `byPerson` asks for it.
 */
export function rollupOf(filter: SpendFilter, days: SpendDays, byPerson: boolean, bind: Bind): string {
  const { scope, subject_id, auth_subject, model } = filter;
  const columns = ['day', 'provider', 'model', 'charge_count', 'charged_usd', ...(byPerson ? ['auth_subject'] : [])];
  const rows = (table: string, ...conditions: string[]) => {
    const all = model === undefined ? conditions : [...conditions, `model = ${bind(model)}::text`];
    return `SELECT ${columns.join(', ')} FROM ${table} WHERE ${all.join(' AND ')}`;
  };
  const ofPerson = (id: string, ...conditions: string[]) =>
    rows('spend_daily', `auth_subject = ${bind(id)}::text`, inDays('day', days, bind), ...conditions);
  if (auth_subject !== undefined) return `(${ofPerson(auth_subject)}) AS spend`;
  if (subject_id === undefined) {
    const ofScope = scope === undefined ? [] : [`scope = ${bind(scope)}::text`];
    return `(${rows(byPerson ? 'spend_daily' : 'spend_by_model', inDays('day', days, bind), ...ofScope)}) AS spend`;
  }
  const ofSubject = () => `subject_id = ${bind(subject_id)}::text`;
  const paidBy = {
    // Who pays as a person pays for the own requests alone, and is found by those.
    user: () => ofPerson(subject_id, `scope = 'user'`),
    group: () =>
      byPerson
        ? rows('spend_daily', eachOf(days, bind), ofSubject(), `scope = 'group'`)
        : rows('group_spend_daily', ofSubject(), inDays('day', days, bind)),
  };
  const parts = scope === undefined ? [paidBy.user(), paidBy.group()] : [paidBy[scope]()];
  return `(${parts.join(' UNION ALL ')}) AS spend`;
}

/** Sums by day of all models, as a subquery with `day` and `charged_usd`. A payer's are what its cells of days have used. */
export function daySumsOf(filter: SpendFilter, days: SpendDays, bind: Bind): string {
  const { scope, subject_id, auth_subject, model } = filter;
  if (auth_subject !== undefined || model !== undefined) return rollupOf(filter, days, false, bind);
  const scopes = `scope = ANY (${bind(scope === undefined ? ['user', 'group'] : [scope])}::text[])`;
  if (subject_id === undefined)
    return `(SELECT day, charged_usd FROM spend_totals WHERE ${inDays('day', days, bind)} AND ${scopes}) AS spend`;
  return `(SELECT period_start AS day, used_usd AS charged_usd FROM budget_cells
    WHERE subject_id = ${bind(subject_id)}::text AND ${scopes} AND period = 'day' AND ${inDays('period_start', days, bind)}) AS spend`;
}

const inDays = (column: string, { from, to }: SpendDays, bind: Bind): string =>
  `${column} >= ${bind(from)}::date AND ${column} < ${bind(to)}::date`;

/** Each day by itself, for a key that begins with the day. */
const eachOf = ({ from, to }: SpendDays, bind: Bind): string =>
  `day = ANY (ARRAY(SELECT ${bind(from)}::date + at FROM generate_series(0, ${bind(to)}::date - ${bind(from)}::date - 1) AS at))`;
