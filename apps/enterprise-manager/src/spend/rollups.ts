import type { BudgetScope } from '../budgets/cell.ts';

/** Which charges count. */
export interface SpendFilter {
  scope?: BudgetScope | undefined;
  subject_id?: string | undefined;
  /** Whose requests they were, whoever paid. */
  auth_subject?: string | undefined;
  model?: string | undefined;
}

/**
 * The smallest of the four tables of sums (migration `SpendByDay`) that can answer, as the text after FROM: a table or a subquery with `day`, `provider`,
 * `model`, `charge_count`, `charged_usd`, and `auth_subject` where `byPerson` asks for it.
 * @param bind takes a parameter and gives its placeholder
 */
export function rollupOf(
  { scope, subject_id, auth_subject, model }: SpendFilter,
  window: { from: string; to: string },
  byPerson: boolean,
  bind: (value: unknown) => string,
): string {
  const days = `day >= ${bind(window.from)}::date AND day < ${bind(window.to)}::date`;
  const common = model === undefined ? days : `${days} AND model = ${bind(model)}::text`;
  const rows = (table: string, ...conditions: string[]) =>
    `(SELECT day, provider, model, charge_count, charged_usd${byPerson ? ', auth_subject' : ''} FROM ${table} WHERE ${[...conditions, common].join(' AND ')})`;
  if (auth_subject !== undefined)
    return `${rows('spend_daily', `auth_subject = ${bind(auth_subject)}::text`)} AS spend`;
  const ofScope = () => (scope === undefined ? [] : [`scope = ${bind(scope)}::text`]);
  if (subject_id === undefined) return `${rows(byPerson ? 'spend_daily' : 'spend_totals', ...ofScope())} AS spend`;
  const ofSubject = `subject_id = ${bind(subject_id)}::text`;
  if (byPerson) return `${rows('spend_daily', ofSubject, ...ofScope())} AS spend`;
  if (scope === 'group') return `${rows('group_spend_daily', ofSubject)} AS spend`;
  const ofPerson = rows('spend_daily', ofSubject, `scope = 'user'`);
  if (scope === 'user') return `${ofPerson} AS spend`;
  return `(${ofPerson} UNION ALL ${rows('group_spend_daily', ofSubject)}) AS spend`;
}
