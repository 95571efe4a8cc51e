import pg from 'pg';

const { builtins } = pg.types;

/**
 * The types of values that raw queries return. Columns of entities follow TypeORM (`timestamptz` is
 * a Date, `bigint` and `numeric` are strings).
 *
 * - `numeric`: the exact decimal string, never a float.
 * - `int8` (also `count(*)`): a number, or an error if a number cannot hold it exactly. Cast larger
 *   values to text or numeric.
 * - `timestamptz`: RFC 3339 in UTC with `Z` and milliseconds, as `Date.toISOString` writes it.
 *   Microseconds are kept if there are any, so that the text can serve as a position in a list.
 * - `date`, `timestamp`: the text of Postgres, without a time zone.
 */
export const valueTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
    const own = format === 'binary' ? undefined : PARSERS[oid];
    return own ?? getDriverParser(oid, format);
  },
};

/**
 * The startup options of a connection that reads these types. A database or a role may have other
 * defaults, which the parsers do not read.
 */
export const VALUE_OPTIONS = '-c TimeZone=UTC -c DateStyle=ISO';

/** The driver's parsers. Its type declares only some object ids, but it accepts any of them. */
const getDriverParser = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;

const PARSERS: Record<number, (value: string) => unknown> = {
  [builtins.NUMERIC]: (value) => value,
  [builtins.INT8]: parseSafeInteger,
  [builtins.TIMESTAMPTZ]: toRfc3339,
  [builtins.TIMESTAMP]: (value) => value,
  [builtins.DATE]: (value) => value,
};

function parseSafeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`The bigint ${value} does not fit a JavaScript number: cast it to text.`);
  return number;
}

/**
 * Sessions run in UTC, so Postgres writes `2026-01-02 03:04:05.6+00`, without trailing zeros.
 * Infinity and years before 1 or after 9999 keep the text of Postgres.
 */
function toRfc3339(value: string): string {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(value);
  if (!parts) return value;
  const [, day, time, fraction = ''] = parts;
  return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
}
