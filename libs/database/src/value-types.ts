import pg from 'pg';

const { builtins } = pg.types;

/**
 * How values of raw queries arrive in JavaScript. Columns of entities follow TypeORM (`timestamptz`
 * is a Date, `bigint` and `numeric` are strings).
 *
 * - `numeric`: the exact decimal string; never a float.
 * - `int8` (also `count(*)`): a number, and an error for what a number cannot hold exactly; cast to
 *   text or numeric where larger values can occur.
 * - `timestamptz`: RFC 3339 in UTC with `Z` and milliseconds, as `Date.toISOString` writes it: a
 *   time has one text, just written or read again. Microseconds, where there are any, are kept, so
 *   that it can serve as a position in a list.
 * - `date`, `timestamp`: as Postgres writes them; no time zone is invented.
 */
export const valueTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
    const own = format === 'binary' ? undefined : PARSERS[oid];
    return own ?? parserOf(oid, format);
  },
};

/** The driver's own parsers. Its type names only the object ids that it knows, but it takes any. */
const parserOf = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;

const PARSERS: Record<number, (value: string) => unknown> = {
  [builtins.NUMERIC]: (value) => value,
  [builtins.INT8]: safeInteger,
  [builtins.TIMESTAMPTZ]: rfc3339,
  [builtins.TIMESTAMP]: (value) => value,
  [builtins.DATE]: (value) => value,
};

function safeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`The bigint ${value} does not fit a JavaScript number: cast it to text.`);
  return number;
}

/**
 * The session runs in UTC, so Postgres writes `2026-01-02 03:04:05.6+00`, without the zeros at the
 * end. Infinity and years before 1 or after 9999 stay as they are.
 */
function rfc3339(value: string): string {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(value);
  if (!parts) return value;
  const [, day, time, fraction = ''] = parts;
  return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
}
