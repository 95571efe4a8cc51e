import type { Sample } from '@gatehouse/testing/contract-runner';
import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { TestManager } from './enterprise-manager.ts';

const REPORT = 'POST /gateway/v1/gateways/{gateway_id}/tool-calls';

/** Creates a valid record with a new id. */
export const toolCall = (overrides: Record<string, unknown> = {}) => ({
  call_id: uuidv7(),
  occurred_at: new Date().toISOString(),
  tool_name: 'echo',
  decision: 'allowed',
  outcome: 'ok',
  category: 'invocation',
  billable: true,
  ...overrides,
});

/** A valid call of every operation on the usage of tools. */
export function createMeteringSamples(running: () => TestManager): Record<string, Sample> {
  const gateway = { gateway_id: 'local' };
  const range = { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' };
  const report = async (connector_id: string = randomUUID()) => ({
    path: gateway,
    body: {
      calls: [
        toolCall({
          connector_id,
          connector_name: 'Sample',
          user_id: await running().findUserId('alice'),
          groups: [{ id: 'g', name: 'G' }],
        }),
      ],
    },
  });
  const reportCall = async () => {
    const connector_id = randomUUID();
    await running().client.call(REPORT, { token: running().tokens.gateway, ...(await report(connector_id)) });
    return connector_id;
  };
  const createQuery = async () => {
    await reportCall();
    return { query: { ...gateway, environment: 'local' } };
  };
  return {
    [REPORT]: () => report(),
    'GET /v1/metering/usage/summary': createQuery,
    'GET /v1/metering/usage/top-connectors': createQuery,
    'GET /v1/metering/usage/top-tools': createQuery,
    'GET /v1/metering/usage/export': createQuery,
    'GET /v1/metering/usage/timeseries': async () => {
      await reportCall();
      return { query: { ...gateway, dimension: 'tool', bucket_width_seconds: 2_592_000 } };
    },
    'GET /v1/metering/usage/connectors/{id}': async () => ({
      path: { id: await reportCall() },
      query: { ...gateway, ...range, end: '2040-01-01T00:00:00Z' },
    }),
    'GET /v1/metering/usage/users/{id}': async () => ({
      path: { id: await running().findUserId('alice') },
      query: { ...gateway, ...range },
    }),
  };
}
