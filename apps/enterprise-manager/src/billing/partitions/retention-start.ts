import { type Statement, statement } from '@gatehouse/database/statement';

const DAY_MS = 86_400_000;

/**
 * The time from which a table with monthly partitions is complete, in milliseconds; null before the
 * first partition was dropped.
 */
export interface RetentionStart {
  kept_from_ms: string | null;
}

/** Creates the statement that selects the time from the retention of a table. */
export const selectRetentionStart = (retention: 'usage_retention' | 'tool_call_retention'): Statement<RetentionStart> =>
  statement(
    `SELECT CASE WHEN isfinite(kept_from) THEN floor(extract(epoch FROM kept_from) * 1000)::text END AS kept_from_ms FROM ${retention}`,
  );

/**
 * Returns the oldest time that is accepted: `days` before `now`, or the end of the dropped months.
 */
export function getOldestAcceptedTime(row: RetentionStart | undefined, days: number, now: Date): Date {
  const byDays = now.getTime() - days * DAY_MS;
  return new Date(Math.max(byDays, Number(row?.kept_from_ms ?? byDays)));
}
