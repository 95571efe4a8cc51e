import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { arrayTypesOf } from './array-binary.ts';
import { parameterOf } from './array-text.ts';

/** A statement that every connection parses once. */
export interface Statement<Row> {
  /**
   * Its rows, read in the transaction of `manager`, or on a connection of the pool where there is
   * none.
   */
  rows(manager: EntityManager, params?: readonly unknown[]): Promise<Row[]>;
  /**
   * Takes its parameters as they are to be sent, so that nobody waits for the writing down of large
   * ones when it runs.
   */
  bind(params: readonly unknown[]): BoundStatement<Row>;
  /** The first of its rows. */
  row(manager: EntityManager, params?: readonly unknown[]): Promise<Row | undefined>;
}

/** A statement with its parameters. */
export type BoundStatement<Row> = (manager: EntityManager) => Promise<Row[]>;

/**
 * A fixed statement for hot reads: prepared under a name on each connection (Postgres parses and
 * soon plans it once), and sent without a query runner.
 *
 * Name the columns: after a migration added one, Postgres refuses to go on with a prepared `SELECT
 * *`. A text that is put together from a request does not belong here either, since a connection
 * keeps every text that it has seen.
 */
export function statement<Row extends object>(text: string): Statement<Row> {
  const name = `s_${createHash('sha256').update(text).digest('base64url').slice(0, 40)}`;
  const types = arrayTypesOf(text);
  const bind = (params: readonly unknown[]): BoundStatement<Row> => {
    const values = params.map((value, at) => parameterOf(value, types[at]));
    return async (manager) => (await (await connectionOf(manager)).query<Row>({ name, text, values })).rows;
  };
  const rows = (manager: EntityManager, params: readonly unknown[] = []) => bind(params)(manager);
  return { bind, rows, row: async (manager, params) => (await rows(manager, params))[0] };
}

/** The transaction's own connection, else the pool. */
export async function connectionOf(manager: EntityManager): Promise<Pick<pg.Pool, 'query'>> {
  if (manager.queryRunner) return (await manager.queryRunner.connect()) as pg.PoolClient;
  return (manager.dataSource.driver as unknown as { master: pg.Pool }).master;
}
