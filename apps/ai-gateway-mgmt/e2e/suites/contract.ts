import { beforeAll, describe, expect, it } from '@jest/globals';
import { createContractClient, readDocument } from '@gatehouse/testing/contract-client';
import {
  describeEveryOperation,
  describeEverySuccess,
  type RunningService,
  type Sample,
} from '@gatehouse/testing/contract-runner';
import { randomUUID } from 'node:crypto';
import { createPolicy, type Replica } from '../support/world.ts';
import type { Scene } from '../support/scene.ts';

const NAME = 'sample';

const SAMPLES: Record<string, Sample> = {
  'GET /v1/gateway-status': () => ({}),
  'GET /v1/info': () => ({}),
  'GET /v1/mcp-servers': () => ({}),
  'GET /v1/me': () => ({}),
  'GET /v1/models': () => ({}),
  'GET /v1/policies': () => ({ query: { limit: 10 } }),
  'POST /v1/policies': () => ({
    body: createPolicy(`new-${randomUUID()}`, { description: 'x', mcpPolicy: {}, budgets: [] }),
  }),
  'GET /v1/policies/{name}': () => ({ path: { name: NAME } }),
  'PATCH /v1/policies/{name}': () => ({
    path: { name: NAME },
    headers: { 'if-match': '*' },
    body: { spec: { description: 'x', principalMatchers: [{ claims: { groups: 'staff' } }], mcpPolicy: {} } },
  }),
  'DELETE /v1/policies/{name}': () => ({ path: { name: NAME }, headers: { 'if-match': '"0"' } }),
  'GET /.well-known/oauth-protected-resource': () => ({}),
  'GET /.well-known/oauth-protected-resource/{path}': () => ({ path: { path: 'elsewhere' } }),
  'GET /healthz': () => ({}),
  'GET /readyz': () => ({}),
};

/** The operations of the wire contract. */
const AGREED = Object.keys(SAMPLES).filter((operation) => operation.includes(' /v1/'));

/** Defines the tests that every operation needs, and the statuses that every operation can have. */
export function describeContract(getScene: () => Scene): void {
  let foreignToken = '';
  const getRunning = (): RunningService => {
    const { first, world } = getScene();
    return {
      client: createContractClient({ service: 'ai-gateway-mgmt', baseUrl: first.url }),
      tokens: world.tokens,
      foreignToken,
      state: () => world.digest(),
    };
  };
  const callAll = async (replica: Replica) => {
    const { world } = getScene();
    const statuses: [string, number][] = [];
    for (const operation of AGREED) {
      const call = await SAMPLES[operation]?.(getRunning());
      statuses.push([operation, (await replica.call(operation, { token: world.tokens.admin, ...call })).status]);
    }
    return statuses;
  };

  describe('every operation', () => {
    beforeAll(async () => {
      const { first, world } = getScene();
      foreignToken = await world.issuer.token({ audience: 'https://elsewhere.test' });
      const { status } = await first.call('POST /v1/policies', { token: world.tokens.admin, body: createPolicy(NAME) });
      expect(status).toBe(201);
    });

    describeEverySuccess('ai-gateway-mgmt', getRunning, SAMPLES, [
      'DELETE /v1/policies/{name}',
      'GET /.well-known/oauth-protected-resource/{path}',
    ]);
    describeEveryOperation('ai-gateway-mgmt', getRunning, SAMPLES);

    it('answers 429 to a caller beyond the limit, and no other caller', async () => {
      const { world } = getScene();
      const replica = await world.startReplica({ REQUESTS_PER_MINUTE: '1' });
      expect((await replica.call('GET /v1/info', { token: world.tokens.admin })).status).toBe(200);
      expect(await callAll(replica)).toEqual(AGREED.map((operation) => [operation, 429]));
      const limited = await replica.call('GET /v1/info', { token: world.tokens.admin });
      expect([limited.body, Number(limited.headers.get('retry-after'))]).toMatchObject([
        { error: 'rate_limited' },
        expect.any(Number),
      ]);
      expect((await replica.call('GET /v1/info', { token: world.tokens.user })).status).toBe(200);
      await replica.service.close();
    });

    it('answers 503 without an AIGateway', async () => {
      const { world } = getScene();
      const replica = await world.createReplica({ GATEWAY_NAME: 'no-such-gateway' });
      expect(await callAll(replica)).toEqual(AGREED.map((operation) => [operation, 503]));
      await replica.service.close();
    });

    it('is in the reference, and an unknown path has a machine code', async () => {
      const { first, world } = getScene();
      const document = (await (await fetch(`${first.url}/api/doc/openapi.json`)).json()) as object;
      expect(document).toEqual(readDocument('ai-gateway-mgmt'));
      const unknown = await fetch(`${first.url}/v1/nothing`, {
        headers: { authorization: `Bearer ${world.tokens.admin}` },
      });
      expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: 'not_found' }]);
    });
  });
}
