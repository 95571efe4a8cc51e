import type { DataSource } from 'typeorm';
import { parseFilter } from '../protocol/filter.ts';
import { buildFilterSql, listHeldTexts } from '../protocol/filter-sql.ts';
import { buildOrderSql } from '../protocol/order-sql.ts';
import type { HeldTexts, Holders } from '../protocol/stored-attributes.ts';
import type { ResourceType } from '../protocol/types.ts';
import type { ListQuery, SearchRequest } from './scim.dto.ts';

/** A page that a client requests, as SQL. */
export interface PageRequest {
  /** The filter; undefined: all resources. @param params gets the values appended */
  where: ((params: unknown[], holders?: Holders) => string) | undefined;
  /** Texts of the filter whose holders an index can find. */
  heldTexts: HeldTexts[];
  /** The ORDER BY expressions, and the same in reverse order. */
  order: string;
  reversed: string;
  /** From 1. */
  startIndex: number;
  count: number;
}

/** The resources of a page, and the total number of resources. */
export interface Page<Row> {
  total: number;
  rows: Row[];
}

/** The table of a resource type. */
interface PageSource {
  /** Table and alias. */
  table: string;
  id: string;
  columns: string;
  /** SQL condition of the rows of the issuer `$1`. */
  own: string;
  /** A query of their number; undefined: the rows are counted. */
  total?: string;
}

/** Translates a query to SQL. @throws ScimError invalidFilter, invalidValue */
export const toPageRequest = (type: ResourceType, query: ListQuery | SearchRequest): PageRequest => {
  const filter = query.filter === undefined ? undefined : parseFilter(query.filter, type);
  const { sortBy, sortOrder = 'ascending', startIndex, count } = query;
  return {
    where: filter && ((params, holders) => buildFilterSql(filter, type, params, holders)),
    heldTexts: filter === undefined ? [] : listHeldTexts(filter, type),
    order: buildOrderSql(type, sortBy, sortOrder),
    reversed: buildOrderSql(type, sortBy, sortOrder === 'ascending' ? 'descending' : 'ascending'),
    startIndex,
    count,
  };
};

/**
 * Reads a page of an issuer's resources. The ids are selected first, so that rows before the page
 * are not read.
 */
export const readPage = <Row extends object>(
  dataSource: DataSource,
  issuer: string,
  source: PageSource,
  request: PageRequest,
  holders?: Holders,
): Promise<Page<Row>> => {
  const { where } = request;
  return where === undefined
    ? readPageOfAll(dataSource, issuer, source, request)
    : readPageOfMatching(dataSource, issuer, source, request, (params) => where(params, holders));
};

/**
 * Reads a page of all resources. The same statement reads their number, so that a page in the
 * second half is selected from the end of the index.
 */
async function readPageOfAll<Row extends object>(
  dataSource: DataSource,
  issuer: string,
  { table, id, columns, own, total = `SELECT count(*) FROM ${table} WHERE ${own}` }: PageSource,
  { order, reversed, startIndex, count }: PageRequest,
): Promise<Page<Row>> {
  const selectIds = (direction: string, limit: string, offset: string) =>
    `(SELECT ${id} FROM ${table} WHERE ${own} ORDER BY ${direction} LIMIT (SELECT ${limit} FROM counted) OFFSET (SELECT ${offset} FROM counted))`;
  const found: ({ total: number; found: boolean } & Row)[] = await dataSource.query(
    `WITH counted (total) AS MATERIALIZED (${total}),
     chosen AS (
       ${selectIds(order, 'CASE WHEN $3::int <= total / 2 THEN $2::int ELSE 0 END', '$3::int')}
       UNION ALL
       ${selectIds(reversed, 'CASE WHEN $3::int > total / 2 THEN greatest(0, least($2::int, total - $3::int)) ELSE 0 END', 'greatest(0, total - $3::int - $2::int)')})
     SELECT counted.total, ${id} IS NOT NULL AS found, ${columns}
     FROM counted LEFT JOIN ${table} ON ${id} = ANY (ARRAY(SELECT id FROM chosen)) ORDER BY ${order}`,
    [issuer, count, startIndex - 1],
  );
  return {
    total: found[0]?.total ?? 0,
    rows: found.filter((row) => row.found).map(({ total: _total, found: _found, ...row }) => row as unknown as Row),
  };
}

/**
 * Reads a page of the resources that match a filter. They are counted only if the page does not
 * show their number; most filters match one resource.
 */
async function readPageOfMatching<Row extends object>(
  dataSource: DataSource,
  issuer: string,
  { table, id, columns, own }: PageSource,
  { order, startIndex, count }: PageRequest,
  where: (params: unknown[]) => string,
): Promise<Page<Row>> {
  const params: unknown[] = [issuer];
  const condition = `${own} AND ${where(params)}`;
  const all = [...params, count, startIndex - 1];
  const rows: Row[] =
    count === 0
      ? []
      : await dataSource.query(
          `SELECT ${columns} FROM ${table} WHERE ${id} = ANY (ARRAY(
             SELECT ${id} FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT $${all.length - 1} OFFSET $${all.length}))
           ORDER BY ${order}`,
          all,
        );
  if (rows.length < count && (rows.length > 0 || startIndex === 1))
    return { total: startIndex - 1 + rows.length, rows };
  const [counted] = await dataSource.query<{ total: number }[]>(
    `SELECT count(*) AS total FROM ${table} WHERE ${condition}`,
    params,
  );
  return { total: counted?.total ?? 0, rows };
}
