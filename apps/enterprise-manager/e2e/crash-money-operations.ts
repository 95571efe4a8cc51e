import type { CrashOperation } from './crash-scene.ts';

/** Admissions, leases, usage and its recharging. */
export const moneyOperations: CrashOperation[] = [];
