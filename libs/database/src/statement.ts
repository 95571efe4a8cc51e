import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { getConnection } from './driver.ts';

/** A statement that each connection parses once. */
export interface Statement<Row> {
  /** Returns all rows, in the transaction of `manager` or, without one, on any connection. */
  rows(manager: EntityManager, params?: readonly unknown[]): Promise<Row[]>;
  /** Returns the first row. */
  row(manager: EntityManager, params?: readonly unknown[]): Promise<Row | undefined>;
}

/**
 * A fixed statement for hot paths. It is prepared under a name on each connection, so that Postgres
 * parses and plans it once, and runs without a query runner.
 *
 * Name the columns: after a migration adds a column, Postgres refuses a prepared `SELECT *`. Do not
 * build the text from a request: a connection keeps each text that it prepared.
 */
export function statement<Row extends object>(text: string): Statement<Row> {
  const name = `s_${createHash('sha256').update(text).digest('base64url').slice(0, 40)}`;
  const rows = async (manager: EntityManager, params: readonly unknown[] = []): Promise<Row[]> => {
    const connection = await getConnection(manager);
    return (await connection.query<Row>({ name, text, values: [...params] })).rows;
  };
  return { rows, row: async (manager, params) => (await rows(manager, params))[0] };
}
