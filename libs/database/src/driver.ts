import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { EntityManager } from 'typeorm';

// The only module with casts into the driver.

/** The part of a client and of a pool of the driver that runs one query. */
export type Connection = Pick<pg.Pool, 'query'>;

/** The serializer of the driver's parameters, which its types do not declare. */
const { utils } = pg as unknown as { utils: { prepareValue(value: readonly unknown[]): string } };

/** The pool behind a data source, which the types of TypeORM do not declare. */
const getPool = ({ dataSource }: EntityManager): pg.Pool =>
  (dataSource.driver as unknown as { master: pg.Pool }).master;

/** Returns the text of an array as the driver sends arrays in parameters. */
export const toArrayText = (elements: readonly unknown[]): string => utils.prepareValue(elements);

/** Returns the connection of the transaction of `manager`, or the pool outside a transaction. */
export async function getConnection(manager: EntityManager): Promise<Connection> {
  return (await getTransactionClient(manager)) ?? getPool(manager);
}

/** Returns the connection of the transaction of `manager`; undefined outside a transaction. */
export async function getTransactionClient({ queryRunner }: EntityManager): Promise<pg.PoolClient | undefined> {
  return queryRunner && ((await queryRunner.connect()) as Promise<pg.PoolClient>);
}

/**
 * Streams rows into `COPY … FROM STDIN`, with the backpressure of the connection. No timeout of
 * Postgres ends a COPY that waits for rows; the keepalive of the connection detects a dead client.
 * @throws {Error} of the source or of Postgres; no row is added then
 */
export async function copyIn(client: Pick<pg.ClientBase, 'query'>, sql: string, rows: Readable): Promise<void> {
  await pipeline(rows, client.query(copyFrom(sql)));
}
