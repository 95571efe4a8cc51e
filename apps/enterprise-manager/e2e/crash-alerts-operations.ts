import type { CrashOperation } from './crash-scene.ts';

/** Writes of budget alerts. */
export const alertsOperations: CrashOperation[] = [];
