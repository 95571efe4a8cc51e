import { type KeysetStep, keysetSql } from './keyset.ts';

/**
 * What rows must have: `from` inclusive and `to` exclusive bounds of `event_time`; for other
 * columns a text, or whether there is anything.
 */
export type RowFilter = Readonly<Record<string, string | Present | undefined>>;

/** Whether a column says anything. */
export interface Present {
  present: boolean;
}

/**
 * A page of rows that have an `event_time` and an `id`, newest first. Each part is read in that
 * order out of an index of its own, and they are merged: the parts have no row in common.
 * @param parts at least one; none of its rows are asked for where there is none
 * @param params what the statement binds is added to them
 */
export function inTimeOrder(
  columns: string,
  table: string,
  parts: readonly RowFilter[],
  step: KeysetStep,
  params: unknown[],
): string {
  const texts = parts.map((filter) => partOf(columns, table, filter, step, params));
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return only;
  const { orderBy } = ordered(step, []);
  const limit = `$${params.push(step.limit)}::int`;
  const all =
    texts.length === 0
      ? `SELECT ${columns} FROM ${table} WHERE FALSE`
      : texts.map((text) => `(${text})`).join(' UNION ALL ');
  return `SELECT ${columns} FROM (${all}) AS parts ORDER BY ${orderBy} LIMIT ${limit}`;
}

function partOf(
  columns: string,
  table: string,
  { from, to, ...equal }: RowFilter,
  step: KeysetStep,
  params: unknown[],
) {
  const conditions = [];
  if (from !== undefined) conditions.push(`event_time >= $${params.push(from)}::timestamptz`);
  if (to !== undefined) conditions.push(`event_time < $${params.push(to)}::timestamptz`);
  for (const [column, value] of Object.entries(equal)) {
    if (value === undefined) continue;
    if (typeof value === 'string') conditions.push(`${column} = $${params.push(value)}::text`);
    else conditions.push(`${column} IS ${value.present ? 'NOT ' : ''}NULL`);
  }
  const { where, orderBy } = ordered(step, params);
  // A row comparison alone does not tell the planner which months cannot matter.
  if (step.from !== undefined)
    conditions.push(
      `event_time ${step.direction === 'forward' ? '<=' : '>='} $${params.push(step.from[0])}::timestamptz`,
    );
  const limit = `$${params.push(step.limit)}::int`;
  return `SELECT ${columns} FROM ${table} WHERE ${[...conditions, where].join(' AND ')} ORDER BY ${orderBy} LIMIT ${limit}`;
}

const ordered = (step: KeysetStep, params: unknown[]) =>
  keysetSql(
    step,
    [
      ['event_time', 'timestamptz'],
      ['id', 'uuid'],
    ],
    'descending',
    params,
  );
