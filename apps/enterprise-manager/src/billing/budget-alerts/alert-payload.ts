import type { BudgetScope } from '../budgets/cell.ts';
import { type Period, getWindowAt } from '../budgets/period.ts';

/** The crossing of a threshold. Amounts are decimals in USD with nine fraction digits. */
export interface ThresholdCrossing {
  alert_id: string;
  /** Increases with each delivery; gaps have no meaning. */
  sequence: number;
  kind: 'crossing' | 'test';
  scope: BudgetScope;
  subject_id: string;
  period: Period;
  /** The first date of the window. */
  period_start: string;
  threshold_percent: number;
  limit_usd: string;
  used_usd: string;
  reserved_usd: string;
  /** The time of its detection, RFC 3339. */
  created_at: string;
}

/**
 * Formats the window of a delivery as RFC 3339 in UTC. The start is inclusive, the end exclusive.
 */
export function formatWindow({ period, period_start }: Pick<ThresholdCrossing, 'period' | 'period_start'>) {
  const { start, end } = getWindowAt(period, new Date(`${period_start}T00:00:00Z`));
  return { period_start: start.toISOString(), period_end: end.toISOString() };
}

/**
 * Creates the body of a delivery (Standard Webhooks, "Payload structure"). It is created once and
 * stored, so that all attempts sign the same bytes.
 */
export function createPayload(crossing: ThresholdCrossing): string {
  const { scope, subject_id, period, limit_usd, used_usd, reserved_usd, threshold_percent, alert_id, sequence } =
    crossing;
  return JSON.stringify({
    type: 'budget.threshold.crossed',
    timestamp: crossing.created_at,
    data: {
      ...{ scope, subject_id, period, ...formatWindow(crossing) },
      ...{ limit_usd, used_usd, reserved_usd, threshold_percent, alert_id, sequence },
      ...(crossing.kind === 'test' && { test: true }),
    },
  });
}
