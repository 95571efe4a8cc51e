import type { Sample } from '@gatehouse/testing/contract-runner';
import type { TestManager } from './enterprise-manager.ts';

/** A well-formed call of every operation about spend. */
export function spendSamplesOf(_running: () => TestManager): Record<string, Sample> {
  return {};
}
