import { statement } from '@gatehouse/database/statement';
import type { EntityManager } from 'typeorm';

/** Key of the advisory lock on all budgets (docs/decisions/0071-lock-order-of-billing.md). */
const BUDGETS_LOCK = 7_046_040;

const LOCK_SHARED = statement(`SELECT pg_advisory_xact_lock_shared(${BUDGETS_LOCK})`);
const LOCK_EXCLUSIVE = statement(`SELECT pg_advisory_xact_lock(${BUDGETS_LOCK})`);

/**
 * Prevents changes of budgets until the transaction ends. Take it before limits are read. Any
 * number of transactions can hold it.
 */
export async function lockBudgetsShared(manager: EntityManager): Promise<void> {
  await LOCK_SHARED.rows(manager);
}

/**
 * Waits for all transactions that hold the shared lock, and prevents new ones until the transaction
 * ends. Take it before any write of a budget or of a budget alert.
 */
export async function lockBudgetsExclusive(manager: EntityManager): Promise<void> {
  await LOCK_EXCLUSIVE.rows(manager);
}
