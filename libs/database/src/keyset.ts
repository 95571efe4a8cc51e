import type { CursorBinding, CursorCodec, CursorPosition } from '@gatehouse/service-kit/cursor';
import { refuseBothCursors } from '@gatehouse/service-kit/paging';

/** The paging parameters of a request; at most one of the cursors. */
export interface PageQuery {
  cursor?: string | undefined;
  before?: string | undefined;
  limit: number;
}

/** One read of a list: the `limit` rows next to `from` in one direction, nearest first. */
export interface KeysetStep {
  direction: 'forward' | 'backward';
  /** The sort key to start from. Without it the step starts at the end of the list. */
  from?: CursorPosition;
  /** Whether the step includes the row with the key `from`. */
  inclusive: boolean;
  limit: number;
}

/**
 * A list with keyset pagination. There are no offsets, so inserts and deletes between two pages
 * neither repeat nor skip a row that stays.
 */
export interface KeysetList<Row> {
  binding: CursorBinding;
  /** Names of the two cursor parameters, for messages; default `cursor` and `before`. */
  parameters?: { cursor: string; before: string };
  /** The row's sort key; unique in the list. */
  getSortKey: (row: Row) => CursorPosition;
  read: (step: KeysetStep) => Promise<Row[]>;
}

/** A page of rows in list order. A cursor is present if there are more rows in its direction. */
export interface KeysetPage<Row> {
  rows: Row[];
  next_cursor?: string;
  prev_cursor?: string;
}

/**
 * Reads the page of a request.
 * @throws HttpError invalid for a cursor of another list or caller, and for two cursors
 */
export async function readKeysetPage<Row>(
  codec: CursorCodec,
  { binding, getSortKey, read, parameters = { cursor: 'cursor', before: 'before' } }: KeysetList<Row>,
  { cursor, before, limit }: PageQuery,
): Promise<KeysetPage<Row>> {
  refuseBothCursors({ [parameters.cursor]: cursor, [parameters.before]: before }, parameters.cursor, parameters.before);
  const direction = before === undefined ? 'forward' : 'backward';
  const start = before ?? cursor;
  const at =
    start === undefined
      ? undefined
      : openPosition(
          codec.open({ ...binding, direction }, start, direction === 'forward' ? parameters.cursor : parameters.before),
        );

  const found = await read({ direction, inclusive: false, ...at, limit: limit + 1 });
  const rows = found.slice(0, limit);
  if (direction === 'backward') rows.reverse();

  const seal = ({ from, inclusive }: Position, leads: KeysetStep['direction']) =>
    codec.seal({ ...binding, direction: leads }, [...from, inclusive]);
  const ahead = getEdge(rows, direction, getSortKey);
  const further = found.length > limit && ahead ? seal(ahead, direction) : undefined;
  const behind = at && (getEdge(rows, reverse(direction), getSortKey) ?? { from: at.from, inclusive: !at.inclusive });
  const hasBack = behind && (await read({ direction: reverse(direction), ...behind, limit: 1 })).length > 0;

  const back = hasBack ? seal(behind, reverse(direction)) : undefined;
  const [next, previous] = direction === 'forward' ? [further, back] : [back, further];
  return {
    rows,
    ...(next !== undefined && { next_cursor: next }),
    ...(previous !== undefined && { prev_cursor: previous }),
  };
}

interface Position {
  from: CursorPosition;
  inclusive: boolean;
}

/**
 * A cursor contains the key and whether its row belongs to the page: it does if the page with the
 * cursor was empty.
 */
const openPosition = (sealed: CursorPosition): Position => ({
  from: sealed.slice(0, -1),
  inclusive: sealed.at(-1) === true,
});

const reverse = (direction: KeysetStep['direction']) => (direction === 'forward' ? 'backward' : 'forward');

const getEdge = <Row>(
  rows: Row[],
  direction: KeysetStep['direction'],
  getSortKey: (row: Row) => CursorPosition,
): Position | undefined => {
  const row = direction === 'forward' ? rows.at(-1) : rows[0];
  return row === undefined ? undefined : { from: getSortKey(row), inclusive: false };
};

/**
 * Writes the SQL of a step over the columns that order the list: a row comparison, for which one
 * index is enough.
 * @param columns SQL expressions with their types, for example `[['u.created_at', 'timestamptz'],
 * ['u.id', 'uuid']]`
 * @param order of the list for clients
 * @param params receives the values of the key
 */
export function buildKeysetSql(
  step: KeysetStep,
  columns: readonly (readonly [expression: string, type: string])[],
  order: 'ascending' | 'descending',
  params: unknown[],
): { where: string; orderBy: string } {
  const rising = (order === 'ascending') === (step.direction === 'forward');
  const orderBy = columns.map(([expression]) => `${expression} ${rising ? 'ASC' : 'DESC'}`).join(', ');
  if (!step.from) return { where: 'TRUE', orderBy };
  const values = columns.map(([, type], at) => `$${params.push(step.from?.[at])}::${type}`);
  const operator = `${rising ? '>' : '<'}${step.inclusive ? '=' : ''}`;
  return {
    where: `(${columns.map(([expression]) => expression).join(', ')}) ${operator} (${values.join(', ')})`,
    orderBy,
  };
}
