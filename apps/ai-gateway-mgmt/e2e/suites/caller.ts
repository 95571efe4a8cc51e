import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import type { TokenRequest } from '@gatehouse/testing/issuer';
import { eventually } from '@gatehouse/testing/eventually';
import { GATEWAY } from '../support/gateway.ts';
import { createPolicy } from '../support/world.ts';
import type { Scene } from '../support/scene.ts';

/** The policies of this suite; each matches a claim that only its tokens have. */
const POLICIES: Record<string, Partial<AIPolicy['spec']>> = {
  'me-both': { description: 'both', principalMatchers: [{ claims: { 'org.unit': 'lab', level: '3' } }] },
  'me-one': {
    principalMatchers: [{ claims: { 'org.unit': 'nowhere' } }, { claims: { groups: 'readers' } }],
    mcpPolicy: { servers: ['search'] },
    budgets: [
      { name: 'small', models: ['m-2', 'm-1'] },
      { name: 'large', models: ['m-1'] },
    ],
  },
  'me-other-gateway': { gatewayRef: { name: 'gateway-b' }, principalMatchers: [{ claims: { groups: 'readers' } }] },
  'me-unrestricted': {
    principalMatchers: [{ claims: { groups: 'owners' } }],
    budgets: [{ name: 'all', models: ['*'] }],
  },
};

/** Defines the tests of the introspection of the caller. */
export function describeCaller(getScene: () => Scene): void {
  const readCaller = async (request: TokenRequest) => {
    const { first, world } = getScene();
    const token = await world.issuer.token({ subject: 'alice', roles: ['authenticated'], ...request });
    return (await first.call('GET /v1/me', { token })).body;
  };

  describe('GET /v1/me', () => {
    beforeAll(async () => {
      const { backend, first, world } = getScene();
      for (const [name, spec] of Object.entries(POLICIES)) await backend.apply('AIPolicy', createPolicy(name, spec));
      await eventually(async () => {
        const query = { gatewayRef: '' };
        const { body } = await first.call<{ items: AIPolicy[] }>('GET /v1/policies', {
          token: world.tokens.admin,
          query,
        });
        return body.items.filter(({ metadata }) => metadata.name in POLICIES).length === Object.keys(POLICIES).length;
      }, 'the policies are known');
    });

    it('shows only the identity of a caller without a matching policy', async () => {
      expect(await readCaller({ email: 'alice@example.test', groups: ['nobody'] })).toEqual({
        email: 'alice@example.test',
        subject: 'alice',
        groups: ['nobody'],
        roles: ['authenticated'],
        matchedPolicies: [],
        models: [],
        unrestrictedModels: false,
      });
    });

    it('shows the policies of the gateway that match, and the union of their models', async () => {
      const claims = { org: { unit: 'lab' }, level: 3 };
      expect(await readCaller({ groups: ['readers', 'x'], claims })).toMatchObject({
        matchedPolicies: [
          { name: 'me-both', description: 'both' },
          { name: 'me-one', mcpPolicy: { servers: ['search'] } },
        ],
        models: ['m-1', 'm-2'],
        unrestrictedModels: false,
      });
      expect(await readCaller({ claims: { org: { unit: 'lab' } } })).toMatchObject({ matchedPolicies: [] });
    });

    it('says that a grant of * is unrestricted', async () => {
      expect(await readCaller({ groups: ['owners'] })).toMatchObject({
        matchedPolicies: [{ name: 'me-unrestricted' }],
        unrestrictedModels: true,
      });
    });

    it('shows all matching roles of the gateway, and only texts as groups', async () => {
      const claims = { roles: ['policyEditor', 'admin', 'unknown'], groups: ['a', 7, null, { b: 1 }] };
      expect(await readCaller({ claims })).toMatchObject({ roles: ['admin', 'policyEditor'], groups: ['a'] });
    });

    it('forgets a policy that is deleted or no longer matches', async () => {
      const { backend } = getScene();
      const names = async () => {
        const body = (await readCaller({ groups: ['movers'] })) as { matchedPolicies: { name: string }[] };
        return body.matchedPolicies.map(({ name }) => name).join();
      };
      const matching = createPolicy('me-moving', { principalMatchers: [{ claims: { groups: 'movers' } }] });
      await backend.apply('AIPolicy', matching);
      await eventually(async () => (await names()) === 'me-moving', 'the policy matches');
      await backend.apply('AIPolicy', createPolicy('me-moving', { gatewayRef: { name: GATEWAY } }));
      await eventually(async () => (await names()) === '', 'the policy does not match');
      await backend.apply('AIPolicy', matching);
      await eventually(async () => (await names()) === 'me-moving', 'the policy matches again');
      await backend.remove('AIPolicy', 'me-moving');
      await eventually(async () => (await names()) === '', 'the policy is gone');
    });
  });
}
