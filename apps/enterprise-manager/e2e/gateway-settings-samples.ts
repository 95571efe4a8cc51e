import type { Sample } from '@gatehouse/testing/contract-runner';
import { randomUUID } from 'node:crypto';
import { draft, makeConnector } from './connector-scene.ts';
import type { TestManager } from './enterprise-manager.ts';

/** Settings of a gateway, as far as a test states them; all others are the defaults. */
interface GivenSettings {
  limits?: Record<string, unknown>;
  content?: Record<string, unknown>;
  connectors?: Record<string, unknown>;
}

/** Creates complete settings of a gateway. */
export const createSettings = ({ limits, content, connectors }: GivenSettings = {}) => ({
  limits: {
    calls_per_minute_per_person: null,
    calls_per_minute_per_tool: null,
    concurrent_calls_per_connector: null,
    sessions_per_person: null,
    max_argument_bytes: null,
    max_result_bytes: null,
    ...limits,
  },
  content: { redaction_patterns: [], tool_pinning: 'off', elicitation_hosts: [], ...content },
  connectors: { ...connectors },
});

/** A valid call of every operation on the settings of gateways. */
export function createGatewaySettingsSamples(running: () => TestManager): Record<string, Sample> {
  const path = { gateway_id: 'local' };
  return {
    'GET /v1/gateways/{gateway_id}/settings': () => ({ path }),
    'PUT /v1/gateways/{gateway_id}/settings': async () => {
      const { id } = await makeConnector(running(), draft({ name: `Limited ${randomUUID()}` }));
      return {
        path,
        body: createSettings({
          limits: { calls_per_minute_per_person: 600, max_result_bytes: 1_000_000 },
          connectors: { [id]: { limits: { calls_per_minute_per_tool: null }, content: { tool_pinning: 'off' } } },
        }),
      };
    },
  };
}
