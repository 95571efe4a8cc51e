/**
 * Statements that compute the sums of charges (migration `CreateSpendSums`) and the budget cells of
 * their payers independently of the settlement. They insert rows by day, like a settlement in
 * order of time.
 * @param source a table or query of charges: `id`, `event_time`, `auth_subject`, `provider`,
 * `model`, `scope`, `subject_id`, `charged_usd`
 */
export function buildSumStatements(source: string): string[] {
  const day = `(event_time AT TIME ZONE 'UTC')::date`;
  const sums = 'count(*) AS charge_count, sum(charged_usd) AS charged_usd';
  const stripe = `(get_byte(uuid_send(id), 0) % 8)::smallint`;
  const add = (table: string, columns: string, expressions: string, order: string, where = 'TRUE') => `
    INSERT INTO ${table} AS s (${columns}, charge_count, charged_usd)
    SELECT ${expressions}, ${sums} FROM ${source} AS c WHERE ${where} GROUP BY ${expressions} ORDER BY ${order}
    ON CONFLICT (${columns}) DO UPDATE SET charge_count = s.charge_count + EXCLUDED.charge_count, charged_usd = s.charged_usd + EXCLUDED.charged_usd`;
  return [
    `INSERT INTO budget_cells AS b (subject_id, scope, period, period_start, used_usd)
     SELECT subject_id, scope, period, date_trunc(period, day::timestamp)::date AS period_start, sum(used_usd)
     FROM (SELECT subject_id, scope, ${day} AS day, sum(charged_usd) AS used_usd FROM ${source} AS c GROUP BY 1, 2, 3) AS days
     CROSS JOIN (VALUES ('day'), ('month'), ('year')) AS p (period) GROUP BY 1, 2, 3, 4 ORDER BY period_start
     ON CONFLICT (subject_id, scope, period, period_start) DO UPDATE SET used_usd = b.used_usd + EXCLUDED.used_usd`,
    add(
      'spend_daily',
      'day, subject_id, scope, auth_subject, provider, model',
      `${day}, subject_id, scope, auth_subject, provider, model`,
      day,
    ),
    add(
      'group_spend_daily',
      'subject_id, day, provider, model',
      `subject_id, ${day}, provider, model`,
      day,
      `scope = 'group'`,
    ),
    ...['month', 'year'].map((period) => {
      const start = `date_trunc('${period}', event_time AT TIME ZONE 'UTC')::date`;
      const columns = 'subject_id, period, period_start, auth_subject';
      return add(
        'group_spend_by_person',
        columns,
        `subject_id, '${period}'::text, ${start}, auth_subject`,
        start,
        `scope = 'group'`,
      );
    }),
    add('spend_by_model', 'model, provider, scope, day, stripe', `model, provider, scope, ${day}, ${stripe}`, day),
    add('spend_totals', 'day, scope, stripe', `${day}, scope, ${stripe}`, day),
  ];
}
