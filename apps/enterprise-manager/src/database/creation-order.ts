import type { CursorBinding, CursorCodec } from '@gatehouse/service-kit/cursor';
import type { DataSource } from 'typeorm';
import {
  type KeysetList,
  readKeysetPage,
  buildKeysetSql,
  type KeysetStep,
  type PageQuery,
} from '@gatehouse/database/keyset';

/** A row of a list that is ordered by time of creation; the id orders rows of the same time. */
export interface CreatedRow {
  id: string;
  created_at: string;
}

/** Returns the sort key of a row in a list in the order of creation. */
export const getCreationKey = ({ created_at, id }: CreatedRow) => [created_at, id];

/** A list in the order of creation. */
interface CreationList<Row, Item> extends Pick<KeysetList<Row>, 'parameters' | 'read'> {
  binding: CursorBinding;
  toItem: (row: Row) => Item;
}

/** A page of a list as clients see it. */
export interface ItemPage<Item> {
  items: Item[];
  next_cursor?: string;
  prev_cursor?: string;
}

/**
 * Reads a page of a list in the order of creation.
 * @throws HttpError invalid for a cursor of another list, and for two cursors at once
 */
export async function listByCreation<Row extends CreatedRow, Item>(
  codec: CursorCodec,
  { toItem, ...list }: CreationList<Row, Item>,
  query: PageQuery,
): Promise<ItemPage<Item>> {
  const { rows, ...cursors } = await readKeysetPage<Row>(codec, { ...list, getSortKey: getCreationKey }, query);
  return { items: rows.map(toItem), ...cursors };
}

/** The rows of a table that a list selects. */
interface Selection {
  /** `SELECT … FROM users u`. */
  select: string;
  /** Alias of the table that has `created_at` and `id`. */
  alias: string;
  /** SQL conditions that all must hold. */
  conditions: readonly string[];
  /** Values of the conditions. */
  params: readonly unknown[];
}

/** Runs one step of a list in the order of creation. An index on (created_at, id) answers it. */
export function selectByCreation<Row extends CreatedRow>(
  dataSource: DataSource,
  { select, alias, conditions, params }: Selection,
  step: KeysetStep,
): Promise<Row[]> {
  const values = [...params];
  const { where, orderBy } = buildKeysetSql(
    step,
    [
      [`${alias}.created_at`, 'timestamptz'],
      [`${alias}.id`, 'uuid'],
    ],
    'ascending',
    values,
  );
  return dataSource.query(
    `${select} WHERE ${[...conditions, where].join(' AND ')} ORDER BY ${orderBy} LIMIT $${values.push(step.limit)}`,
    values,
  );
}
