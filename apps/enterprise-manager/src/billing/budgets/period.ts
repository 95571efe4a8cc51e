/** The budget periods: calendar days, months and years in UTC. */
export const PERIODS = ['day', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

/** A window of a period. `start` is inclusive, `end` exclusive. */
export interface BudgetWindow {
  period: Period;
  start: Date;
  end: Date;
}

/** Returns the window of a period that contains a time. */
export function getWindowAt(period: Period, at: Date): BudgetWindow {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  switch (period) {
    case 'day':
      return { period, start: toUtcDate(year, month, day), end: toUtcDate(year, month, day + 1) };
    case 'month':
      return { period, start: toUtcDate(year, month, 1), end: toUtcDate(year, month + 1, 1) };
    case 'year':
      return { period, start: toUtcDate(year, 0, 1), end: toUtcDate(year + 1, 0, 1) };
  }
}

const DAY_MS = 86_400_000;
/** The last result. Most calls in a row are for the same day. */
let cached = { day: NaN, date: '' };

/** Formats the UTC date of a time as `2026-01-31`. */
export function formatDate(time: Date): string {
  const day = Math.floor(time.getTime() / DAY_MS);
  if (day !== cached.day) cached = { day, date: time.toISOString().slice(0, 10) };
  return cached.date;
}

/**
 * Returns the period that a charge names: the month if the payer has a budget for it or no budget
 * at all, otherwise the shortest period with a budget.
 */
export const getChargePeriod = (budgeted: readonly Period[]): Period =>
  budgeted.length === 0 || budgeted.includes('month')
    ? 'month'
    : (PERIODS.find((period) => budgeted.includes(period)) ?? 'month');

/** Supports years below 100, which `Date.UTC` maps to the 20th century. */
function toUtcDate(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}
