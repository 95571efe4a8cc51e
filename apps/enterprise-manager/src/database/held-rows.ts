import { randomBytes } from 'node:crypto';
import type { DataSource, QueryRunner } from 'typeorm';

/** Rows that are fetched at once. */
const BATCH = 1_000;

/**
 * Rows of one statement, in batches; `close` gives the connection back, at any time and more than
 * once.
 */
export interface HeldRows<Row> {
  /** The next rows; none at the end. */
  next(): Promise<Row[]>;
  close(): Promise<void>;
}

/**
 * Runs one statement of any size and keeps its rows at the server, to be fetched as fast as
 * somebody takes them. The transaction is over before the first row is handed out (a cursor WITH
 * HOLD): all rows are of one moment, and whoever takes them slowly holds up nobody but a connection
 * of the pool.
 * @param timeoutMs longest time that the statement may take
 */
export async function heldRows<Row>(
  dataSource: DataSource,
  text: string,
  params: readonly unknown[],
  timeoutMs: number,
): Promise<HeldRows<Row>> {
  const runner = dataSource.createQueryRunner();
  const name = `held_${randomBytes(8).toString('hex')}`;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeCursor(runner, name));
  try {
    await runner.startTransaction();
    await runner.query(`SET LOCAL statement_timeout = ${Math.trunc(timeoutMs)}`);
    await runner.query(`DECLARE ${name} NO SCROLL CURSOR WITH HOLD FOR ${text}`, [...params]);
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
    throw error;
  }
  return { next: () => runner.query(`FETCH ${BATCH} FROM ${name}`) as Promise<Row[]>, close };
}

/** A connection that is broken has no cursor any more. */
async function closeCursor(runner: QueryRunner, name: string): Promise<void> {
  try {
    await runner.query(`CLOSE ${name}`);
  } catch {
    // Whoever takes the connection next finds out.
  } finally {
    await runner.release();
  }
}
