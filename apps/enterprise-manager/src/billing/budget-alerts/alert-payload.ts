import type { BudgetScope } from '../budgets/cell.ts';
import { type Period, getWindowAt } from '../budgets/period.ts';

/** What is told of a threshold. Amounts are decimals in USD with nine fraction digits. */
export interface CrossedThreshold {
  alert_id: string;
  /** Grows with every delivery; gaps mean nothing. */
  sequence: number;
  kind: 'crossing' | 'test';
  scope: BudgetScope;
  subject_id: string;
  period: Period;
  /** The window's first date. */
  period_start: string;
  threshold_percent: number;
  limit_usd: string;
  used_usd: string;
  reserved_usd: string;
  /** When it was noticed, RFC 3339. */
  created_at: string;
}

/** The window of a delivery: from its start until its end begins, RFC 3339 in UTC. */
export function windowOf({ period, period_start }: Pick<CrossedThreshold, 'period' | 'period_start'>) {
  const { start, end } = getWindowAt(period, new Date(`${period_start}T00:00:00Z`));
  return { period_start: start.toISOString(), period_end: end.toISOString() };
}

/**
 * The body that is sent (Standard Webhooks, "Payload structure"). It is made once and kept, so that
 * every attempt signs the same bytes.
 */
export function payloadOf(crossed: CrossedThreshold): string {
  const { scope, subject_id, period, limit_usd, used_usd, reserved_usd, threshold_percent, alert_id, sequence } =
    crossed;
  return JSON.stringify({
    type: 'budget.threshold.crossed',
    timestamp: crossed.created_at,
    data: {
      ...{ scope, subject_id, period, ...windowOf(crossed) },
      ...{ limit_usd, used_usd, reserved_usd, threshold_percent, alert_id, sequence },
      ...(crossed.kind === 'test' && { test: true }),
    },
  });
}
