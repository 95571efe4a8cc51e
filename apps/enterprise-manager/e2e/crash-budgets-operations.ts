import type { CrashOperation } from './crash-scene.ts';

/** Writes of budgets and of the pricing catalog. */
export const budgetsOperations: CrashOperation[] = [];
