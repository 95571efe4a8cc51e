/** The periods of budgets: calendar windows in UTC. */
export const PERIODS = ['day', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

/** One window of a period: from `start` on, until `end` begins. */
export interface BudgetWindow {
  period: Period;
  start: Date;
  end: Date;
}

/** The window of a period in which a time lies. */
export function getWindowAt(period: Period, at: Date): BudgetWindow {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  switch (period) {
    case 'day':
      return { period, start: utc(year, month, day), end: utc(year, month, day + 1) };
    case 'month':
      return { period, start: utc(year, month, 1), end: utc(year, month + 1, 1) };
    case 'year':
      return { period, start: utc(year, 0, 1), end: utc(year + 1, 0, 1) };
  }
}

const DAY_MS = 86_400_000;
let last = { day: NaN, date: '' };

/**
 * The date of a time, as in `2026-01-31`. Nearly all that are asked for one after the other are of
 * one day.
 */
export function formatDate(time: Date): string {
  const day = Math.floor(time.getTime() / DAY_MS);
  if (day !== last.day) last = { day, date: time.toISOString().slice(0, 10) };
  return last.date;
}

/**
 * The period that stands on a charge: the month where the payer has a budget for it, also where it
 * has none at all; else its shortest.
 */
export const getChargePeriod = (budgeted: readonly Period[]): Period =>
  budgeted.length === 0 || budgeted.includes('month')
    ? 'month'
    : (PERIODS.find((period) => budgeted.includes(period)) ?? 'month');

/** `Date.UTC` takes years below 100 for those of the last century. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}
