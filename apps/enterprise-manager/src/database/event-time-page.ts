import { type KeysetStep, buildKeysetSql } from '@gatehouse/database/keyset';

/**
 * A filter of rows: inclusive `from` and exclusive `to` bounds of `event_time`; for other columns a
 * text, or whether the column has a value.
 */
export type RowFilter = Readonly<Record<string, string | ColumnPresence | undefined>>;

/** Whether a column has a value. */
export interface ColumnPresence {
  present: boolean;
}

/**
 * Writes the SQL of a page of rows with `event_time` and `id`, newest first. Each part is read in
 * that order from its own index, and the parts are merged. Parts have no row in common.
 * @param parts filters of the parts; without parts the page is empty
 * @param params receives the bound values
 */
export function buildEventTimePageSql(
  columns: string,
  table: string,
  parts: readonly RowFilter[],
  step: KeysetStep,
  params: unknown[],
): string {
  const texts = parts.map((filter) => buildPartSql(columns, table, filter, step, params));
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return only;
  const { orderBy } = buildOrderSql(step, []);
  const limit = `$${params.push(step.limit)}::int`;
  const all =
    texts.length === 0
      ? `SELECT ${columns} FROM ${table} WHERE FALSE`
      : texts.map((text) => `(${text})`).join(' UNION ALL ');
  return `SELECT ${columns} FROM (${all}) AS parts ORDER BY ${orderBy} LIMIT ${limit}`;
}

function buildPartSql(
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
  const { where, orderBy } = buildOrderSql(step, params);
  // The planner cannot prune partitions by only a row comparison.
  if (step.from !== undefined)
    conditions.push(
      `event_time ${step.direction === 'forward' ? '<=' : '>='} $${params.push(step.from[0])}::timestamptz`,
    );
  const limit = `$${params.push(step.limit)}::int`;
  return `SELECT ${columns} FROM ${table} WHERE ${[...conditions, where].join(' AND ')} ORDER BY ${orderBy} LIMIT ${limit}`;
}

const buildOrderSql = (step: KeysetStep, params: unknown[]) =>
  buildKeysetSql(
    step,
    [
      ['event_time', 'timestamptz'],
      ['id', 'uuid'],
    ],
    'descending',
    params,
  );
