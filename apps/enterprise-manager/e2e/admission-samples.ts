import type { Sample } from '@gatehouse/testing/contract-runner';
import type { TestManager } from './enterprise-manager.ts';

/** A well-formed call of every operation about admission and leases. */
export function admissionSamplesOf(_running: () => TestManager): Record<string, Sample> {
  return {};
}
