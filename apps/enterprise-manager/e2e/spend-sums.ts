/**
 * The sums of charges (migration `SpendByDay`) and the cells of their payers, written a second time, by plain statements: what settlement keeps must be the same.
 * Rows are made in the order of their first charge, as they are where charges come one after the other.
 * @param source a table or query of charges: `id`, `event_time`, `auth_subject`, `provider`, `model`, `scope`, `subject_id`, `charged_usd`
 */
export function sumsOf(source: string): string[] {
  const day = `(event_time AT TIME ZONE 'UTC')::date`;
  const month = `date_trunc('month', event_time AT TIME ZONE 'UTC')::date`;
  const sums = 'count(*) AS charge_count, sum(charged_usd) AS charged_usd';
  const stripe = `(get_byte(uuid_send(id), 0) % 8)::smallint`;
  const add = (table: string, columns: string, expressions: string, where = 'TRUE') => `
    INSERT INTO ${table} AS s (${columns}, charge_count, charged_usd)
    SELECT ${expressions}, ${sums} FROM ${source} AS c WHERE ${where} GROUP BY ${expressions} ORDER BY min(event_time)
    ON CONFLICT (${columns}) DO UPDATE SET charge_count = s.charge_count + EXCLUDED.charge_count, charged_usd = s.charged_usd + EXCLUDED.charged_usd`;
  return [
    `INSERT INTO budget_cells AS b (subject_id, scope, period, period_start, used_usd)
     SELECT subject_id, scope, period, date_trunc(period, event_time AT TIME ZONE 'UTC')::date, sum(charged_usd)
     FROM ${source} AS c CROSS JOIN (VALUES ('day'), ('month'), ('year')) AS p (period) GROUP BY 1, 2, 3, 4 ORDER BY min(event_time)
     ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE SET used_usd = b.used_usd + EXCLUDED.used_usd`,
    add(
      'spend_daily',
      'subject_id, scope, day, auth_subject, provider, model',
      `subject_id, scope, ${day}, auth_subject, provider, model`,
    ),
    add(
      'group_spend_daily',
      'subject_id, day, provider, model, stripe',
      `subject_id, ${day}, provider, model, ${stripe}`,
      `scope = 'group'`,
    ),
    add(
      'group_spend_monthly',
      'subject_id, month, auth_subject',
      `subject_id, ${month}, auth_subject`,
      `scope = 'group'`,
    ),
    add('spend_totals', 'day, scope, provider, model, stripe', `${day}, scope, provider, model, ${stripe}`),
  ];
}
