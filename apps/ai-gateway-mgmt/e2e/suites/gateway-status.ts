import { afterAll, describe, expect, it } from '@jest/globals';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { eventually } from '@gatehouse/testing/eventually';
import { GATEWAY } from '../support/gateway.ts';
import type { Scene } from '../support/scene.ts';

const OTHER_GATEWAY = 'gateway-with-errors';
const provider = { name: 'openai', kind: 'openai', endpoint: 'https://api.openai.com' } as const;
const backend = (name: string) => ({ provider: name, weight: 1, priority: 0 });

/** Defines the tests of the status of gateways. */
export function describeGatewayStatus(getScene: () => Scene): void {
  const readStatus = async (name: string) => (await getScene().world.readGateway(name))?.status;
  /** Waits until the conditions of a gateway have these reasons. */
  const untilReasons = (name: string, ...reasons: string[]) =>
    eventually(async () => {
      const status = await readStatus(name);
      const found = (status?.conditions ?? []).map(({ reason }) => reason);
      return found.join() === reasons.join() ? status : undefined;
    }, `${name} has the reasons ${reasons.join()}`);
  const apply = (spec: Partial<AIGateway['spec']>) => {
    const { backend: place, world } = getScene();
    return place.apply('AIGateway', { ...world.gateway(spec), metadata: { name: OTHER_GATEWAY } });
  };

  describe('the status of a gateway', () => {
    afterAll(() => getScene().backend.remove('AIGateway', OTHER_GATEWAY));

    it('follows its backends and its token issuer', async () => {
      await apply({ providers: [provider], routes: [{ match: { model: 'a' }, backends: [backend('absent')] }] });
      const missing = await untilReasons(OTHER_GATEWAY, 'Accepted', 'ProviderNotFound');
      expect(missing.conditions?.[1]?.message).toContain('absent');
      await apply({ providers: [provider], defaultRoute: { backends: [backend('openai')] } });
      const resolved = await untilReasons(OTHER_GATEWAY, 'Accepted', 'ResolvedRefs');
      expect(resolved.observedGeneration).toBe(2);
      const { auth } = getScene().world.gateway().spec;
      await apply({ auth: { ...auth, oidc: { ...auth.oidc, issuer: 'https://id.example.test:99999' } } });
      const refused = await untilReasons(OTHER_GATEWAY, 'Invalid', 'Invalid');
      expect(refused.conditions?.map(({ status }) => status)).toEqual(['False', 'Unknown']);
      expect(refused.conditions?.[0]?.message).toContain('/spec/auth/oidc/issuer');
    });

    it('is not written again while nothing differs', async () => {
      await untilReasons(GATEWAY, 'Accepted', 'ResolvedRefs');
      const before = await getScene().world.readGateway(GATEWAY);
      await apply({ providers: [provider] });
      await untilReasons(OTHER_GATEWAY, 'Accepted', 'ResolvedRefs');
      expect(await getScene().world.readGateway(GATEWAY)).toEqual(before);
    });
  });

  describe('GET /v1/gateway-status', () => {
    it('returns the conditions of the gateway of the instance', async () => {
      const { backend: place, first, world } = getScene();
      const stored = await untilReasons(GATEWAY, 'Accepted', 'ResolvedRefs');
      const { status, body } = await eventually(async () => {
        const answer = await first.call<{ conditions?: unknown }>('GET /v1/gateway-status', {
          token: world.tokens.policyEditor ?? '',
        });
        return answer.body.conditions === undefined ? undefined : answer;
      }, 'the replica knows the status');
      const generation = stored.observedGeneration;
      expect([status, body]).toEqual([200, { name: GATEWAY, namespace: place.namespace, generation, ...stored }]);
    });
  });
}
