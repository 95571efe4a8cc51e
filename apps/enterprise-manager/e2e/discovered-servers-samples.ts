import { makeAvailable } from './connector-scene.ts';
import type { Sample } from '@gatehouse/testing/contract-runner';
import type { TestManager } from './enterprise-manager.ts';

/**
 * Valid calls of the operations on discovered servers, and of the report of connection statuses.
 * The manager has a fake cluster.
 */
export function createDiscoveredServerSamples(running: () => TestManager): Record<string, Sample> {
  return {
    'GET /v1/gateways/{gateway_id}/discovered-servers': () => ({ path: { gateway_id: 'local' } }),
    'POST /v1/gateways/{gateway_id}/discovered-servers/{id}/admit': () => ({
      path: { gateway_id: 'local', id: running().cluster?.takeServer() ?? '' },
      body: {},
    }),
    'POST /gateway/v1/gateways/{gateway_id}/connection-statuses': async () => ({
      path: { gateway_id: 'local' },
      body: {
        statuses: [
          {
            user_id: await running().findUserId('alice'),
            connector_id: (await makeAvailable(running())).id,
            connection_status: 'ready',
            tools: ['echo'],
            observed_at: new Date().toISOString(),
          },
        ],
      },
    }),
  };
}
