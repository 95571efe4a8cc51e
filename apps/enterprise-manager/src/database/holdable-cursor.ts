import { randomBytes } from 'node:crypto';
import type { DataSource, QueryRunner } from 'typeorm';

/** Rows of one fetch. */
const BATCH = 1_000;

/**
 * A server-side cursor WITH HOLD, read in batches. `close` releases the connection and can be
 * called again.
 */
export interface HoldableCursor<Row> {
  /** Returns the next rows; an empty array at the end. */
  readNext(): Promise<Row[]>;
  close(): Promise<void>;
}

/**
 * Opens a cursor WITH HOLD for a statement. Its transaction ends before the first row is fetched:
 * all rows are of one snapshot, and a slow reader occupies one connection of the pool and no locks.
 * @param timeoutMs time limit of the statement
 */
export async function openHoldableCursor<Row>(
  dataSource: DataSource,
  text: string,
  params: readonly unknown[],
  timeoutMs: number,
): Promise<HoldableCursor<Row>> {
  const runner = dataSource.createQueryRunner();
  const name = `cursor_${randomBytes(8).toString('hex')}`;
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
  return { readNext: () => runner.query(`FETCH ${BATCH} FROM ${name}`) as Promise<Row[]>, close };
}

/** Closes the cursor. A broken connection has no cursor. */
async function closeCursor(runner: QueryRunner, name: string): Promise<void> {
  try {
    await runner.query(`CLOSE ${name}`);
  } catch {
    // The next use of the connection reports the error.
  } finally {
    await runner.release();
  }
}
