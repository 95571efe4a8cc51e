import { statement } from '@gatehouse/database/statement';
import { writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CellUsage } from '../budgets/cell.ts';
import { toKeyColumns } from '../budgets/cells.repository.ts';
import { formatBackgroundComment } from '../../database/background-comment.ts';
import { formatDate, PERIODS, getWindowAt } from '../budgets/period.ts';

/** The comment that marks statements of the background task in pg_stat_activity. */
export const BACKGROUND_TASK = formatBackgroundComment('budget alerts');

/** Maximum threshold of an alert. */
export const MAX_PERCENT = 1_000;

/**
 * Days for which a delivery is kept after its creation and after the end of its window. Windows
 * that ended earlier create no deliveries.
 */
export const RETENTION_DAYS = 90;

/**
 * Builds the statement that inserts missing deliveries of crossed thresholds. `$1` is the time.
 * docs/decisions/0072-deliver-each-threshold-once.md explains its rules and its order.
 * @param cells SQL that selects (subject_id, scope, period, period_start, used)
 * @param lock clause that prevents the deletion of the alerts, for a transaction without the lock
 * of budgets
 */
const buildInsert = (cells: string, lock = '') => `
  WITH limited AS MATERIALIZED (
    SELECT k.subject_id, k.scope, k.period, k.period_start, k.used, ending.kept_until, COALESCE(own.limit_usd, standard.limit_usd) AS limit_usd
    FROM (${cells}) AS k
    CROSS JOIN LATERAL (SELECT (k.period_start + ('1 ' || k.period)::interval) AT TIME ZONE 'UTC' AS ended_at) AS window_end
    CROSS JOIN LATERAL (SELECT greatest(window_end.ended_at, $1::timestamptz) + interval '${RETENTION_DAYS} days' AS kept_until) AS ending
    LEFT JOIN LATERAL (
      SELECT limit_usd, set_at FROM budgets b WHERE b.subject_id = k.subject_id AND b.scope = k.scope AND b.period = k.period LIMIT 1) AS own ON TRUE
    LEFT JOIN LATERAL (
      SELECT limit_usd, greatest(set_at, (SELECT removed_at FROM removed_user_budgets r WHERE r.subject_id = k.subject_id AND r.period = k.period)) AS set_at
      FROM default_user_budget d WHERE k.scope = 'user' AND d.period = k.period LIMIT 1) AS standard ON own.limit_usd IS NULL
    WHERE k.used > 0 AND window_end.ended_at > $1::timestamptz - interval '${RETENTION_DAYS} days'
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
    ${lock}
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

const FIND_ENABLED = statement('SELECT 1 AS found FROM budget_alerts WHERE enabled LIMIT 1');
const INSERT_OF_CELLS = statement(
  buildInsert(
    'SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::date[], $6::numeric[]) AS k (subject_id, scope, period, period_start, used)',
  ),
);
const INSERT_OF_RANGE = statement(
  BACKGROUND_TASK +
    buildInsert(
      `SELECT subject_id, scope, period, period_start, used_usd AS used FROM budget_cells
      WHERE scope = $2 AND period = $3 AND period_start = $4 AND subject_id > $5 AND ($6::text COLLATE "C" IS NULL OR subject_id <= $6)`,
      'FOR KEY SHARE OF alert',
    ),
);
const FIND_LAST_OF_RANGE = statement<{ subject_id: string }>(`${BACKGROUND_TASK}
  SELECT subject_id FROM budget_cells WHERE scope = $1 AND period = $2 AND period_start = $3 AND subject_id > $4
  ORDER BY subject_id OFFSET $5 LIMIT 1`);

/** A range of the cells of a window: subjects after `after` up to `last`, or to the end. */
interface CellRange {
  scope: string;
  period: string;
  period_start: string;
  after: string;
  last: string | undefined;
}

/**
 * Detects crossed thresholds and writes their deliveries. SQL by hand: it runs at each settlement.
 */
@Injectable()
export class CrossingsRepository {
  /**
   * Returns whether any alert is enabled. It stays so until the end of a transaction that holds the
   * lock of budgets (`lockBudgetsShared`).
   */
  async hasEnabledAlert(manager: EntityManager): Promise<boolean> {
    return (await FIND_ENABLED.row(manager)) !== undefined;
  }

  /**
   * Writes the deliveries of thresholds that cells have reached, in the transaction of their
   * change. The transaction must hold the lock of budgets.
   */
  async recordCells(manager: EntityManager, cells: readonly CellUsage[], now: Date): Promise<void> {
    if (cells.length === 0) return;
    await INSERT_OF_CELLS.rows(manager, [
      now.toISOString(),
      ...toKeyColumns(cells),
      cells.map(({ used }) => writeUsd(used)),
    ]);
  }

  /** Writes the deliveries of thresholds that the cells of a range have reached. */
  async recordRange(manager: EntityManager, range: CellRange, now: Date): Promise<void> {
    const { scope, period, period_start, after, last } = range;
    await INSERT_OF_RANGE.rows(manager, [now.toISOString(), scope, period, period_start, after, last ?? null]);
  }

  /** Divides the cells of all windows at a time into ranges of at most `size`, one at a time. */
  async *listRanges(manager: EntityManager, now: Date, size: number): AsyncGenerator<CellRange> {
    for (const scope of ['user', 'group'])
      for (const period of PERIODS) {
        const period_start = formatDate(getWindowAt(period, now).start);
        for (let after: string | undefined = ''; after !== undefined;) {
          const last: { subject_id: string } | undefined = await FIND_LAST_OF_RANGE.row(manager, [
            ...[scope, period, period_start, after],
            size - 1,
          ]);
          yield { scope, period, period_start, after, last: last?.subject_id };
          after = last?.subject_id;
        }
      }
  }
}
