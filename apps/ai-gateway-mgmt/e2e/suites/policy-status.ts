import { afterAll, describe, expect, it } from '@jest/globals';
import type { AIGateway, AIPolicy } from '@gatehouse/ai-resources/resource';
import { eventually } from '@gatehouse/testing/eventually';
import { createPolicy } from '../support/world.ts';
import type { Scene } from '../support/scene.ts';

type Routes = NonNullable<AIGateway['spec']['routes']>;

const OWN_GATEWAY = 'gateway-of-status';
const provider = { name: 'openai', kind: 'openai', endpoint: 'https://api.openai.com' } as const;
const route = (model: string): Routes[number] => ({
  match: { model },
  backends: [{ provider: 'openai', weight: 1, priority: 0 }],
});

/** Defines the tests of the status of policies after changes from outside. */
export function describePolicyStatus(getScene: () => Scene): void {
  const applyGateway = async (...models: string[]) => {
    const { backend, world } = getScene();
    const gateway = world.gateway({ providers: [provider], routes: models.map(route) });
    await backend.apply('AIGateway', { ...gateway, metadata: { name: OWN_GATEWAY } });
  };
  const policy = (name: string) =>
    createPolicy(name, { gatewayRef: { name: OWN_GATEWAY }, budgets: [{ name: 'all', models: ['a', 'b'] }] });
  /** Waits until the conditions of a policy have these reasons. */
  const untilReasons = (name: string, ...reasons: string[]) =>
    eventually(async () => {
      const found = await getScene().world.read(name);
      const conditions = found?.status?.conditions ?? [];
      return conditions.map(({ reason }) => reason).join() === reasons.join() ? found : undefined;
    }, `${name} has the reasons ${reasons.join()}`);
  const readTimes = ({ status }: AIPolicy) => status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime);

  describe('the status of a policy', () => {
    afterAll(() => getScene().backend.remove('AIGateway', OWN_GATEWAY));

    it('follows its gateway: created, with another route, and deleted', async () => {
      const { backend } = getScene();
      await backend.apply('AIPolicy', policy('status-a'));
      await untilReasons('status-a', 'GatewayNotFound', 'GatewayNotFound');
      await applyGateway('a');
      const partial = await untilReasons('status-a', 'Accepted', 'ModelNotFound');
      expect(partial.status?.conditions?.[1]?.message).toContain('b');
      expect(partial.metadata.generation).toBe(1);
      await applyGateway('a', 'b');
      const whole = await untilReasons('status-a', 'Accepted', 'ResolvedRefs');
      expect(readTimes(whole)?.[0]).toBe(readTimes(partial)?.[0]);
      await backend.remove('AIGateway', OWN_GATEWAY);
      await untilReasons('status-a', 'GatewayNotFound', 'GatewayNotFound');
    });

    it('names the generation of a change from outside', async () => {
      const { backend, world } = getScene();
      await backend.apply('AIPolicy', policy('status-b'));
      await untilReasons('status-b', 'GatewayNotFound', 'GatewayNotFound');
      const changed = policy('status-b');
      await backend.apply('AIPolicy', { ...changed, spec: { ...changed.spec, description: 'changed' } });
      const found = await eventually(async () => {
        const now = await world.read('status-b');
        return now?.status?.observedGeneration === 2 ? now : undefined;
      }, 'the status has the new generation');
      expect([found.metadata.generation, found.spec.description]).toEqual([2, 'changed']);
    });

    it('is not written again while nothing differs', async () => {
      const { first, second, world } = getScene();
      const { body } = await first.call<AIPolicy>('POST /v1/policies', {
        token: world.tokens.admin,
        body: policy('status-c'),
      });
      // The other replica knows the policy, and a later policy has its status. A second write of
      // the first status would have come before.
      await eventually(
        async () =>
          (
            await second.call<AIPolicy>('GET /v1/policies/{name}', {
              token: world.tokens.admin,
              path: { name: 'status-c' },
            })
          ).status === 200,
        'the other replica has the policy',
      );
      await getScene().backend.apply('AIPolicy', policy('status-d'));
      await untilReasons('status-d', 'GatewayNotFound', 'GatewayNotFound');
      expect(await world.read('status-c')).toEqual(body);
    });
  });
}
