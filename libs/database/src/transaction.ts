import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import type { DataSource, EntityManager } from 'typeorm';

/** The pauses before a transaction is repeated: random, so that conflicts do not repeat too. */
const BACKOFF = { firstMs: 10, longestMs: 640, jitter: 1 };

/** An isolation level of a transaction. */
export type Isolation = 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';

/** Options of `inTransaction`. */
export interface TransactionOptions {
  /** Default READ COMMITTED. */
  isolation?: Isolation;
  /**
   * Maximum number of repeats after a serialization failure (40001), a deadlock (40P01) or a
   * `SerializationConflictError`; default 0. Work that repeats must have no effect outside its
   * transaction.
   */
  retries?: number;
}

/**
 * Runs work in one transaction, which commits when the work resolves and rolls back when it throws.
 * The work runs all of its statements through the given manager.
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
  { isolation = 'READ COMMITTED', retries = 0 }: TransactionOptions = {},
): Promise<T> {
  // Connections default to READ COMMITTED (data-source.ts); setting it is a round trip.
  const attempt = () =>
    isolation === 'READ COMMITTED' ? dataSource.transaction(work) : dataSource.transaction(isolation, work);
  if (retries === 0) return attempt();
  return retry(attempt, { maxRetries: retries, shouldRetry: isTransient, backoff: new Backoff(BACKOFF) });
}

/**
 * Rolls back a transaction that detects a concurrent commit which invalidates its reads.
 * `inTransaction` repeats the work, as after a serialization failure of Postgres.
 */
export class SerializationConflictError extends GatehouseError {
  override readonly code = '40001';
}

/** Whether a transaction failed because of a concurrent one, so that a repeat can succeed. */
export function isTransient(error: unknown): boolean {
  return getSqlState(error) === '40001' || getSqlState(error) === '40P01';
}

/** Whether a write violates a unique constraint. @param constraint its name; default any */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return getSqlState(error) === '23505' && (constraint === undefined || getConstraint(error) === constraint);
}

const getSqlState = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;
const getConstraint = (error: unknown): unknown =>
  (error as { constraint?: unknown; driverError?: { constraint?: unknown } }).driverError?.constraint ??
  (error as { constraint?: unknown }).constraint;
