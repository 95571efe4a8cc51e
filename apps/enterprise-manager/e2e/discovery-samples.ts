import type { Sample } from '@gatehouse/testing/contract-runner';
import type { TestManager } from './enterprise-manager.ts';

/** A well-formed call of every operation about servers of the cluster; the manager has one on paper. */
export function discoverySamplesOf(running: () => TestManager): Record<string, Sample> {
  return {
    'GET /v1/gateways/{gateway_id}/discovered-servers': () => ({ path: { gateway_id: 'local' } }),
    'POST /v1/gateways/{gateway_id}/discovered-servers/{id}/admit': () => ({
      path: { gateway_id: 'local', id: running().cluster?.next() ?? '' },
      body: {},
    }),
  };
}
