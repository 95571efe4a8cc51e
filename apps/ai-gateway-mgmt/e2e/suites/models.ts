import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { eventually } from '@gatehouse/testing/eventually';
import type { Scene } from '../support/scene.ts';

const OWN_GATEWAY = 'gateway-of-models';

const spec: Partial<AIGateway['spec']> = {
  providers: [
    { name: 'first', kind: 'openai', endpoint: 'https://api.openai.com' },
    { name: 'second', kind: 'anthropic', endpoint: 'https://api.anthropic.com' },
  ],
  routes: [
    { match: { model: 'z-model' }, backends: [{ provider: 'first', weight: 1, priority: 0 }] },
    {
      match: { model: 'a-model' },
      displayName: 'A',
      contextWindow: 1000,
      backends: [
        { provider: 'second', weight: 1, priority: 0 },
        { provider: 'first', weight: 1, priority: 1 },
      ],
    },
    { match: { model: 'z-model' }, backends: [{ provider: 'second', weight: 1, priority: 0 }] },
  ],
  defaultRoute: { backends: [{ provider: 'first', weight: 1, priority: 0 }] },
};

/** Defines the tests of the list of models and of the catalog of MCP servers. */
export function describeModels(getScene: () => Scene): void {
  const list = (gatewayRef?: string) =>
    getScene().first.call<{ data?: unknown[] }>('GET /v1/models', {
      token: getScene().world.tokens.authenticated ?? '',
      query: { gatewayRef },
    });

  describe('GET /v1/models', () => {
    beforeAll(async () => {
      const { backend, world } = getScene();
      await backend.apply('AIGateway', { ...world.gateway(spec), metadata: { name: OWN_GATEWAY } });
      await eventually(async () => (await list(OWN_GATEWAY)).status === 200, 'the gateway is known');
    });
    afterAll(() => getScene().backend.remove('AIGateway', OWN_GATEWAY));

    it('lists the models with a route, each once, sorted, without the default route', async () => {
      const { body } = await list(OWN_GATEWAY);
      const created = expect.any(Number);
      expect(body).toEqual({
        object: 'list',
        data: [
          { id: 'a-model', object: 'model', created, owned_by: 'anthropic', display_name: 'A', context_window: 1000 },
          { id: 'z-model', object: 'model', created, owned_by: 'openai' },
        ],
      });
    });

    it('lists the models of its own gateway without gatewayRef, also with an empty one', async () => {
      expect((await list()).body).toEqual({ object: 'list', data: [] });
      expect((await list('')).body).toEqual({ object: 'list', data: [] });
    });

    it('answers 404 for an unknown gateway and 400 for a text that is no name', async () => {
      expect((await list('unknown')).body).toMatchObject({ error: 'not_found' });
      for (const name of ['Not A Name', '-x', 'x'.repeat(254)])
        expect((await list(name)).body).toMatchObject({
          error: 'invalid_request',
          violations: [{ field: '/gatewayRef' }],
        });
    });
  });

  describe('GET /v1/mcp-servers', () => {
    it('is empty for every user', async () => {
      const { first, world } = getScene();
      const { status, body } = await first.call('GET /v1/mcp-servers', { token: world.tokens.user });
      expect([status, body]).toEqual([200, { items: [] }]);
    });
  });

  describe('GET /v1/info', () => {
    it('returns the configured name and namespace to every user', async () => {
      const { backend, first, world } = getScene();
      const { status, body } = await first.call('GET /v1/info', { token: world.tokens.user });
      expect([status, body]).toEqual([200, { name: 'gateway-a', namespace: backend.namespace }]);
    });

    it('returns the request id of the caller, or a new one', async () => {
      const { first, world } = getScene();
      const readRequestId = async (headers: Record<string, string>) =>
        (await first.call('GET /v1/info', { token: world.tokens.user, headers })).headers.get('x-request-id');
      expect(await readRequestId({ 'x-request-id': 'caller-1' })).toBe('caller-1');
      expect(await readRequestId({})).toMatch(/^[0-9a-f-]{36}$/);
      const refused = await first.call('GET /v1/info', { headers: { 'x-request-id': 'caller-2' } });
      expect([refused.status, refused.body]).toMatchObject([401, { error: 'unauthenticated', requestId: 'caller-2' }]);
    });
  });
}
