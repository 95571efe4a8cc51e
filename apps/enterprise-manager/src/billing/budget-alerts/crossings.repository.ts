import { statement } from '@gatehouse/database/statement';
import { writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CellKey, CellUsage } from '../budgets/cell.ts';
import { byItself } from '../../database/by-itself.ts';
import { formatDate, PERIODS, getWindowAt } from '../budgets/period.ts';

/** Begins the statements of the looks at budgets that a replica makes by itself. */
export const BY_ITSELF = byItself('budget alerts');

/** The highest threshold that an alert can have. */
export const MAX_PERCENT = 1_000;

/**
 * Days for which a delivery is kept, after it was made and after its window has ended. A window
 * that ended longer ago crosses nothing any more.
 */
export const KEPT_DAYS = 90;

/**
 * Writes what is crossed. `changed` gives cells as (subject_id, scope, period, period_start, used);
 * `$1` is the time. A limit of nothing is reached, with all thresholds, by the first use.
 * Percentages are whole: `div` cuts off, which is exact, and what is beyond the highest threshold
 * does not matter. Thresholds of an alert are stored rising. What was written before is passed over
 * without being touched; two who meet on a crossing write it once. Rows come in the order of their
 * key, so that two writers never wait for each other in a circle. What is looked up by key is a
 * subquery: no plan can make a scan of it, whatever it believes about the tables. `LIMIT 1` keeps
 * the planner from making a join of it. A window that has ended is compared only with a limit that
 * was set before its end.
 * @param holding clause that keeps the alerts from being deleted in between, where the transaction
 * does not hold the budgets
 */
const crossingsOf = (changed: string, holding = '') => `
  WITH limited AS MATERIALIZED (
    SELECT k.subject_id, k.scope, k.period, k.period_start, k.used, ending.kept_until, COALESCE(own.limit_usd, standard.limit_usd) AS limit_usd
    FROM (${changed}) AS k
    CROSS JOIN LATERAL (SELECT (k.period_start + ('1 ' || k.period)::interval) AT TIME ZONE 'UTC' AS ended_at) AS window_end
    CROSS JOIN LATERAL (SELECT greatest(window_end.ended_at, $1::timestamptz) + interval '${KEPT_DAYS} days' AS kept_until) AS ending
    LEFT JOIN LATERAL (
      SELECT limit_usd, set_at FROM budgets b WHERE b.subject_id = k.subject_id AND b.scope = k.scope AND b.period = k.period LIMIT 1) AS own ON TRUE
    LEFT JOIN LATERAL (
      SELECT limit_usd, greatest(set_at, (SELECT removed_at FROM removed_user_budgets r WHERE r.subject_id = k.subject_id AND r.period = k.period)) AS set_at
      FROM default_user_budget d WHERE k.scope = 'user' AND d.period = k.period LIMIT 1) AS standard ON own.limit_usd IS NULL
    WHERE k.used > 0 AND window_end.ended_at > $1::timestamptz - interval '${KEPT_DAYS} days'
      AND (window_end.ended_at > $1::timestamptz OR COALESCE(own.set_at, standard.set_at) < window_end.ended_at)
  ), used AS MATERIALIZED (
    SELECT limited.*, CASE WHEN limit_usd = 0 THEN ${MAX_PERCENT} ELSE least(${MAX_PERCENT}, div(used * 100, limit_usd))::integer END AS percent
    FROM limited WHERE limit_usd IS NOT NULL
  ), crossed AS MATERIALIZED (
    SELECT alert.id AS alert_id, l.*, t.threshold_percent
    FROM used l
    JOIN budget_alerts alert ON alert.enabled
      AND (alert.scope IS NULL OR (alert.scope = l.scope AND (alert.subject_id IS NULL OR alert.subject_id = l.subject_id)))
      AND (alert.periods IS NULL OR l.period = ANY (alert.periods)) AND alert.thresholds[1] <= l.percent
    CROSS JOIN LATERAL unnest(alert.thresholds) AS t (threshold_percent)
    WHERE t.threshold_percent <= l.percent
      AND (
        SELECT 1 FROM budget_alert_deliveries d
        WHERE d.alert_id = alert.id AND d.subject_id = l.subject_id AND d.scope = l.scope AND d.period = l.period AND d.period_start = l.period_start
          AND d.threshold_percent = t.threshold_percent AND d.kind = 'crossing') IS NULL
    ${holding}
  )
  INSERT INTO budget_alert_deliveries (alert_id, kind, scope, subject_id, period, period_start, threshold_percent, limit_usd, used_usd, reserved_usd,
    created_at, kept_until, next_attempt_at)
  SELECT x.alert_id, 'crossing', x.scope, x.subject_id, x.period, x.period_start, x.threshold_percent, x.limit_usd, x.used, COALESCE((
      SELECT c.reserved_usd FROM budget_cells c
      WHERE c.subject_id = x.subject_id AND c.scope = x.scope AND c.period = x.period AND c.period_start = x.period_start), 0),
    $1::timestamptz, x.kept_until, $1::timestamptz
  FROM crossed x
  ORDER BY x.alert_id, x.subject_id COLLATE "C", x.scope, x.period, x.period_start, x.threshold_percent
  ON CONFLICT DO NOTHING`;

const ANY_ALERT = statement('SELECT 1 AS found FROM budget_alerts WHERE enabled LIMIT 1');
const OF_CELLS = statement(
  crossingsOf(
    'SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::date[], $6::numeric[]) AS k (subject_id, scope, period, period_start, used)',
  ),
);
const OF_WINDOW = statement(
  BY_ITSELF +
    crossingsOf(
      `SELECT subject_id, scope, period, period_start, used_usd AS used FROM budget_cells
      WHERE scope = $2 AND period = $3 AND period_start = $4 AND subject_id > $5 AND ($6::text COLLATE "C" IS NULL OR subject_id <= $6)`,
      'FOR KEY SHARE OF alert',
    ),
);
const LAST_OF_CHUNK = statement<{ subject_id: string }>(`${BY_ITSELF}
  SELECT subject_id FROM budget_cells WHERE scope = $1 AND period = $2 AND period_start = $3 AND subject_id > $4
  ORDER BY subject_id OFFSET $5 LIMIT 1`);

/** A part of a window's cells: subjects after `after`, up to `last` or to the end. */
interface CellRange {
  scope: string;
  period: string;
  period_start: string;
  after: string;
  last: string | undefined;
}

/** Thresholds that were crossed, in the database. */
@Injectable()
export class CrossingsRepository {
  /** Whether anybody wants to be told. */
  async hasEnabledAlert(manager: EntityManager): Promise<boolean> {
    return (await ANY_ALERT.row(manager)) !== undefined;
  }

  /** Writes what these cells have crossed. */
  async recordCells(manager: EntityManager, cells: readonly CellUsage[], now: Date): Promise<void> {
    if (cells.length === 0) return;
    await OF_CELLS.rows(manager, [now.toISOString(), ...columnsOf(cells), cells.map(({ used }) => writeUsd(used))]);
  }

  /** Writes what the cells of a range have crossed. */
  async recordRange(manager: EntityManager, range: CellRange, now: Date): Promise<void> {
    const { scope, period, period_start, after, last } = range;
    await OF_WINDOW.rows(manager, [now.toISOString(), scope, period, period_start, after, last ?? null]);
  }

  /**
   * The cells of all windows at a time, in ranges of at most `size`; each is found when it is asked
   * for.
   */
  async *rangesAt(manager: EntityManager, now: Date, size: number): AsyncGenerator<CellRange> {
    for (const scope of ['user', 'group'])
      for (const period of PERIODS) {
        const period_start = formatDate(getWindowAt(period, now).start);
        for (let after: string | undefined = ''; after !== undefined;) {
          const end: { subject_id: string } | undefined = await LAST_OF_CHUNK.row(manager, [
            ...[scope, period, period_start, after],
            size - 1,
          ]);
          yield { scope, period, period_start, after, last: end?.subject_id };
          after = end?.subject_id;
        }
      }
  }
}

const columnsOf = (cells: readonly CellKey[]) => [
  cells.map(({ subject_id }) => subject_id),
  cells.map(({ scope }) => scope),
  cells.map(({ period }) => period),
  cells.map(({ period_start }) => period_start),
];
