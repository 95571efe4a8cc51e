import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { DataSource, EntityManager } from 'typeorm';
import { setTimeout as sleep } from 'node:timers/promises';

/** Isolation levels that Postgres tells apart. */
export type Isolation = 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';

/** How a transaction runs. */
export interface TransactionOptions {
  /** Default READ COMMITTED. */
  isolation?: Isolation;
  /**
   * How often the work is done again when Postgres ends it for a serialization failure (40001) or a
   * deadlock (40P01), or it was `Overtaken`; default 0. The work must then have no effect outside
   * of its transaction.
   */
  retries?: number;
}

/**
 * Runs work in one transaction: committed when it resolves, rolled back when it throws. Everything
 * that belongs to the change goes through the given manager.
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (manager: EntityManager) => Promise<T>,
  { isolation = 'READ COMMITTED', retries = 0 }: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      // READ COMMITTED is what connections have anyway (data-source.ts): saying it again would be a
      // round trip.
      return await (isolation === 'READ COMMITTED'
        ? dataSource.transaction(work)
        : dataSource.transaction(isolation, work));
    } catch (error) {
      if (attempt >= retries || !isTransient(error)) throw error;
      await sleep(Math.random() * 10 * 2 ** Math.min(attempt, 6));
    }
  }
}

/**
 * Ends a transaction that finds, after it has looked, what somebody else has committed meanwhile:
 * its work is done again, as after a serialization failure.
 */
export class Overtaken extends GatehouseError {
  override readonly code = '40001';
}

/** Whether Postgres ended a transaction only because of what others did at the same time. */
export function isTransient(error: unknown): boolean {
  return sqlState(error) === '40001' || sqlState(error) === '40P01';
}

/** Whether a write met a unique constraint. @param constraint only this one */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return sqlState(error) === '23505' && (constraint === undefined || constraintOf(error) === constraint);
}

const sqlState = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;
const constraintOf = (error: unknown): unknown =>
  (error as { constraint?: unknown; driverError?: { constraint?: unknown } }).driverError?.constraint ??
  (error as { constraint?: unknown }).constraint;
