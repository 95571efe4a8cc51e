import type { ColumnOptions } from 'typeorm';

/**
 * A point in time in milliseconds. Rows hold it as RFC 3339 text in UTC, however they were read:
 * with milliseconds, as `Date.toISOString` writes it.
 */
export const instant = {
  type: 'timestamptz',
  precision: 3,
  transformer: { to: (value: string) => value, from: (value: Date) => value.toISOString() },
} satisfies ColumnOptions;
