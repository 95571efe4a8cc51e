import type { ColumnOptions } from 'typeorm';

/** A point in time in milliseconds. Rows hold it as RFC 3339 text in UTC, however they were read. */
export const instant = {
  type: 'timestamptz',
  precision: 3,
  transformer: { to: (value: string) => value, from: (value: Date) => value.toISOString() },
} satisfies ColumnOptions;

/** A stored time as clients see it: always with three digits of milliseconds, so that one instant has one spelling. */
export const shownInstant = (stored: string): string => new Date(stored).toISOString();
