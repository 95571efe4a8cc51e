import { statement } from '@gatehouse/database/statement';
import type { EntityManager } from 'typeorm';

/** Key of the advisory lock that keeps limits still while somebody decides by them. */
const BUDGETS_LOCK = 7_046_040;

const HOLD = statement(`SELECT pg_advisory_xact_lock_shared(${BUDGETS_LOCK})`);
const CHANGE = statement(`SELECT pg_advisory_xact_lock(${BUDGETS_LOCK})`);

/**
 * Keeps all budgets as they are until the transaction ends; any number may do so at once. Taken
 * before limits are read.
 */
export async function lockBudgetsShared(manager: EntityManager): Promise<void> {
  await HOLD.rows(manager);
}

/**
 * Waits until nobody decides by the budgets, and lets nobody do so before the transaction ends.
 * Taken before any write of a budget.
 */
export async function lockBudgetsExclusive(manager: EntityManager): Promise<void> {
  await CHANGE.rows(manager);
}
