import type { DataSource } from 'typeorm';
import { parseFilter } from '../protocol/filter.ts';
import { filterSql, heldTexts } from '../protocol/filter-sql.ts';
import { orderSql } from '../protocol/order-sql.ts';
import type { HeldTexts, Holders } from '../protocol/stored-attributes.ts';
import type { ResourceType } from '../protocol/types.ts';
import type { ListQuery, SearchRequest } from './scim.dto.ts';

/** A list as a repository is asked for it. */
export interface PageRequest {
  /** The filter as SQL; undefined: all resources. @param params gets its values appended */
  where: ((params: unknown[], holders?: Holders) => string) | undefined;
  /** Texts of the filter of which an index knows who holds them. */
  heldTexts: HeldTexts[];
  /** What stands after ORDER BY, and the same from the other end. */
  order: string;
  reversed: string;
  /** From 1. */
  startIndex: number;
  count: number;
}

/** Resources of a page, and how many there are in all. */
export interface Page<Row> {
  total: number;
  rows: Row[];
}

/** Where the resources of a type are. */
interface PageSource {
  /** Table and alias. */
  table: string;
  id: string;
  columns: string;
  /** Which rows are those of the issuer `$1`. */
  own: string;
  /** A query of how many these are; undefined: they are counted. */
  total?: string;
}

/** What a client asks for, in SQL. @throws ScimError invalidFilter, invalidValue */
export const toPageRequest = (type: ResourceType, query: ListQuery | SearchRequest): PageRequest => {
  const filter = query.filter === undefined ? undefined : parseFilter(query.filter, type);
  const { sortBy, sortOrder = 'ascending', startIndex, count } = query;
  return {
    where: filter && ((params, holders) => filterSql(filter, type, params, holders)),
    heldTexts: filter === undefined ? [] : heldTexts(filter, type),
    order: orderSql(type, sortBy, sortOrder),
    reversed: orderSql(type, sortBy, sortOrder === 'ascending' ? 'descending' : 'ascending'),
    startIndex,
    count,
  };
};

/**
 * Reads a page of an issuer's resources. Ids are found first, so that no row before the page is
 * read.
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
    ? pageOfAll(dataSource, issuer, source, request)
    : pageOfMatching(dataSource, issuer, source, request, (params) => where(params, holders));
};

/**
 * A page of everything: how many there are comes from the same statement, so that a page in the
 * second half is found from the end, without walking over all that stands before it.
 */
async function pageOfAll<Row extends object>(
  dataSource: DataSource,
  issuer: string,
  { table, id, columns, own, total = `SELECT count(*) FROM ${table} WHERE ${own}` }: PageSource,
  { order, reversed, startIndex, count }: PageRequest,
): Promise<Page<Row>> {
  const from = (direction: string, limit: string, offset: string) =>
    `(SELECT ${id} FROM ${table} WHERE ${own} ORDER BY ${direction} LIMIT (SELECT ${limit} FROM counted) OFFSET (SELECT ${offset} FROM counted))`;
  const found: ({ total: number; found: boolean } & Row)[] = await dataSource.query(
    `WITH counted (total) AS MATERIALIZED (${total}),
     chosen AS (
       ${from(order, 'CASE WHEN $3::int <= total / 2 THEN $2::int ELSE 0 END', '$3::int')}
       UNION ALL
       ${from(reversed, 'CASE WHEN $3::int > total / 2 THEN greatest(0, least($2::int, total - $3::int)) ELSE 0 END', 'greatest(0, total - $3::int - $2::int)')})
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
 * A page of what a filter matches. All are counted only where the page does not show how many there
 * are: most filters ask for one resource.
 */
async function pageOfMatching<Row extends object>(
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
