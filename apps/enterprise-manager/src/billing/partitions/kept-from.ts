import { type Statement, statement } from '@gatehouse/database/statement';

const DAY_MS = 86_400_000;

/**
 * From when on the rows of a table that is divided by month are kept, in whole milliseconds; null
 * while nothing has been dropped.
 */
export interface KeptFrom {
  kept_from_ms: string | null;
}

/** Reads it from the retention of a table. */
export const keptFromIn = (retention: 'usage_retention' | 'tool_call_retention'): Statement<KeptFrom> =>
  statement(
    `SELECT CASE WHEN isfinite(kept_from) THEN floor(extract(epoch FROM kept_from) * 1000)::text END AS kept_from_ms FROM ${retention}`,
  );

/**
 * The oldest time that is taken in: so many days before `now`, or where months have been dropped
 * already.
 */
export function oldestTaken(row: KeptFrom | undefined, days: number, now: Date): Date {
  const byDays = now.getTime() - days * DAY_MS;
  return new Date(Math.max(byDays, Number(row?.kept_from_ms ?? byDays)));
}
