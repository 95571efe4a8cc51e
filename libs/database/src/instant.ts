import type { ColumnOptions } from 'typeorm';

/** A column for a time in milliseconds. Rows contain it as text of `Date.toISOString`. */
export const instant = {
  type: 'timestamptz',
  precision: 3,
  transformer: { to: (value: string | null) => value, from: (value: Date | null) => value?.toISOString() ?? null },
} satisfies ColumnOptions;
