import type { ColumnOptions } from 'typeorm';

/** A column for a time in milliseconds. Rows contain it as text of `Date.toISOString`. */
export const instant = {
  type: 'timestamptz',
  precision: 3,
  transformer: { to: (value: string) => value, from: (value: Date) => value.toISOString() },
} satisfies ColumnOptions;
