import type { TestManager } from './enterprise-manager.ts';

/** A stored value that differs from its recomputation. */
interface Difference {
  /** The kind of value. */
  what: string;
  key: string;
  expected: string | null;
  actual: string | null;
}

/**
 * Recomputes every sum of the ledger in one statement, and so at one moment, also during writes. It
 * shares no code with the service: windows are UTC calendar windows; sums are those of `charges`
 * and of unreleased reservations.
 *
 * Windows and days that begin before $1 are ignored, for a ledger whose oldest charges are dropped.
 */
const DIFFERENCES = `
  WITH since AS (SELECT $1::timestamptz AS since),
  paid AS (
    SELECT c.*, c.event_time AT TIME ZONE 'UTC' AS at FROM charges c, since WHERE c.event_time >= since
  ),
  periods (period) AS (VALUES ('day'), ('month'), ('year')),
  cell_sums AS (
    SELECT concat_ws(' ', scope, subject_id, period, period_start) AS key, sum(used) AS used, sum(reserved) AS reserved FROM (
      SELECT scope, subject_id, period, date_trunc(period, at)::date AS period_start, charged_usd AS used, 0::numeric AS reserved FROM paid, periods
      UNION ALL
      SELECT payer_scope, payer_subject_id, period, date_trunc(period, admitted_at AT TIME ZONE 'UTC')::date, 0, held_usd
      FROM reservations, periods, since WHERE released_at IS NULL AND payer_scope IS NOT NULL AND admitted_at >= since
    ) AS parts, since WHERE period_start >= (since AT TIME ZONE 'UTC')::date GROUP BY 1
  ),
  cells AS (
    SELECT concat_ws(' ', scope, subject_id, period, period_start) AS key, used_usd AS used, reserved_usd AS reserved
    FROM budget_cells, since WHERE period_start >= (since AT TIME ZONE 'UTC')::date
  ),
  days AS (
    SELECT concat_ws(' ', scope, subject_id, at::date, auth_subject, provider, model) AS key, sum(charged_usd) AS usd, count(*) AS charges
    FROM paid, since WHERE at::date >= (since AT TIME ZONE 'UTC')::date GROUP BY 1
  ),
  group_days AS (
    SELECT concat_ws(' ', subject_id, at::date, provider, model) AS key, sum(charged_usd) AS usd, count(*) AS charges FROM paid
    WHERE scope = 'group' GROUP BY 1
  ),
  group_people AS (
    SELECT concat_ws(' ', subject_id, period, date_trunc(period, at)::date, auth_subject) AS key, sum(charged_usd) AS usd, count(*) AS charges
    FROM paid, periods, since WHERE scope = 'group' AND period <> 'day' AND date_trunc(period, at) >= since AT TIME ZONE 'UTC' GROUP BY 1
  ),
  models AS (
    SELECT concat_ws(' ', at::date, scope, provider, model) AS key, sum(charged_usd) AS usd, count(*) AS charges FROM paid GROUP BY 1
  ),
  totals AS (
    SELECT concat_ws(' ', at::date, scope) AS key, sum(charged_usd) AS usd, count(*) AS charges FROM paid GROUP BY 1
  ),
  rollups AS (
    SELECT 'spend_daily' AS what, concat_ws(' ', scope, subject_id, day, auth_subject, provider, model) AS key, charged_usd AS usd, charge_count AS charges
    FROM spend_daily, since WHERE day >= (since AT TIME ZONE 'UTC')::date
    UNION ALL SELECT 'group_spend_daily', concat_ws(' ', subject_id, day, provider, model), charged_usd, charge_count
    FROM group_spend_daily, since WHERE day >= (since AT TIME ZONE 'UTC')::date
    UNION ALL SELECT 'group_spend_by_person', concat_ws(' ', subject_id, period, period_start, auth_subject), charged_usd, charge_count
    FROM group_spend_by_person, since WHERE period_start >= since AT TIME ZONE 'UTC'
    UNION ALL SELECT 'spend_by_model', concat_ws(' ', day, scope, provider, model), sum(charged_usd), sum(charge_count)
    FROM spend_by_model, since WHERE day >= (since AT TIME ZONE 'UTC')::date GROUP BY 1, 2
    UNION ALL SELECT 'spend_totals', concat_ws(' ', day, scope), sum(charged_usd), sum(charge_count)
    FROM spend_totals, since WHERE day >= (since AT TIME ZONE 'UTC')::date GROUP BY 1, 2
  ),
  rollup_sums AS (
    SELECT 'spend_daily' AS what, * FROM days UNION ALL SELECT 'group_spend_daily', * FROM group_days
    UNION ALL SELECT 'group_spend_by_person', * FROM group_people UNION ALL SELECT 'spend_by_model', * FROM models
    UNION ALL SELECT 'spend_totals', * FROM totals
  ),
  events AS (
    SELECT e.*, concat_ws(' ', e.interaction_id, e.attempt, e.id) AS key FROM usage_events e, since WHERE e.event_time >= since
  )
  SELECT 'used of cell' AS what, coalesce(s.key, c.key) AS key, coalesce(s.used, 0)::text AS expected, coalesce(c.used, 0)::text AS actual
  FROM cell_sums s FULL JOIN cells c ON c.key = s.key WHERE coalesce(s.used, 0) <> coalesce(c.used, 0)
  UNION ALL SELECT 'reserved of cell', coalesce(s.key, c.key), coalesce(s.reserved, 0)::text, coalesce(c.reserved, 0)::text
  FROM cell_sums s FULL JOIN cells c ON c.key = s.key WHERE coalesce(s.reserved, 0) <> coalesce(c.reserved, 0)
  UNION ALL SELECT 'cell below zero', key, '0', least(used, reserved)::text FROM cells WHERE used < 0 OR reserved < 0
  UNION ALL SELECT 'sum of ' || coalesce(s.what, r.what), coalesce(s.key, r.key), s.usd::text, r.usd::text
  FROM rollup_sums s FULL JOIN rollups r ON r.what = s.what AND r.key = s.key WHERE s.usd IS DISTINCT FROM r.usd
  UNION ALL SELECT 'count of ' || coalesce(s.what, r.what), coalesce(s.key, r.key), s.charges::text, r.charges::text
  FROM rollup_sums s FULL JOIN rollups r ON r.what = s.what AND r.key = s.key WHERE s.charges IS DISTINCT FROM r.charges
  UNION ALL SELECT 'event of claim', coalesce(e.key, concat_ws(' ', k.interaction_id, k.attempt, k.event_id)), k.event_id::text, e.id::text
  FROM (SELECT k.* FROM usage_claims k, since WHERE k.event_time >= since) AS k
  FULL JOIN events e ON e.interaction_id = k.interaction_id AND e.attempt = k.attempt
  WHERE e.id IS DISTINCT FROM k.event_id OR e.event_time IS DISTINCT FROM k.event_time
  UNION ALL SELECT 'events of attempt', concat_ws(' ', interaction_id, attempt), '1', count(*)::text FROM events GROUP BY interaction_id, attempt HAVING count(*) > 1
  UNION ALL SELECT 'charge or unpriced event of event', e.key, '1', coalesce(n, 0)::text
  FROM events e LEFT JOIN (
    SELECT event_id, count(*) AS n FROM (SELECT event_id FROM paid UNION ALL SELECT event_id FROM unpriced_events) AS parts GROUP BY 1
  ) AS p ON p.event_id = e.id
  WHERE n IS DISTINCT FROM 1
  UNION ALL SELECT 'user who paid for another user', concat_ws(' ', interaction_id, attempt), auth_subject, subject_id
  FROM paid WHERE scope = 'user' AND subject_id <> auth_subject
  UNION ALL SELECT 'unpriced event without its event', concat_ws(' ', u.interaction_id, u.event_id), 'an event', 'none'
  FROM unpriced_events u, since WHERE u.event_time >= since
    AND NOT EXISTS (SELECT FROM events e WHERE e.id = u.event_id AND e.event_time = u.event_time AND e.interaction_id = u.interaction_id)
  ORDER BY 1, 2 LIMIT 20`;

/**
 * Recomputes the whole ledger in SQL and compares cells with charges and reservations, sums with
 * charges, and claims with events and charges. Works at any moment, also during writes.
 * @param since an RFC 3339 time, the start of a year; earlier rows are ignored, for a ledger whose
 * oldest months are dropped
 * @returns at most 20 differences; empty for a correct ledger
 */
export async function ledgerDifferences(sql: TestManager['sql'], since = '0001-01-01T00:00:00Z'): Promise<string[]> {
  const found = await sql<Difference>(DIFFERENCES, [since]);
  return found.map(
    ({ what, key, expected, actual }) => `${what} (${key}): ${expected ?? 'none'} expected, ${actual ?? 'none'} found`,
  );
}
