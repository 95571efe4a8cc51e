import { describe, expect, it } from '@jest/globals';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { GatewayAuthentication } from './gateway-authentication.ts';

const createGateway = (auth: AIGateway['spec']['auth'], generation = 1): AIGateway => ({
  apiVersion: 'gatehouse.dev/v1alpha1',
  kind: 'AIGateway',
  metadata: {
    name: 'gateway-a',
    namespace: 'team-a',
    uid: 'u',
    resourceVersion: '1',
    generation,
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { auth, virtualKeys: { enabled: true } },
});
const oidc = { issuer: 'https://id.example.test', audience: 'gatehouse' };

const follow = () => {
  const authentication = new GatewayAuthentication({ NAMESPACE: 'team-a', GATEWAY_NAME: 'gateway-a' });
  const configs: unknown[] = [];
  authentication.onChange(() => configs.push(authentication.config));
  return { authentication, configs };
};

describe('GatewayAuthentication', () => {
  it('refuses all tokens until it has a gateway', () => {
    expect(follow().authentication.config).toEqual({ missing: 'the AIGateway team-a/gateway-a is not read yet' });
  });

  it('reports a change of issuer, audience, key set or roles, and no other change of the gateway', () => {
    const { authentication, configs } = follow();
    authentication.follow(createGateway({ oidc }));
    authentication.follow(createGateway({ oidc }, 2));
    expect(configs).toMatchObject([{ issuers: [{ issuer: oidc.issuer }], audience: 'gatehouse' }]);
    authentication.follow(createGateway({ oidc: { ...oidc, audience: 'other' } }));
    authentication.follow(createGateway({ oidc: { ...oidc, jwksUri: 'https://id.example.test/keys' } }));
    authentication.follow(createGateway({ oidc, authz: { roles: { admin: [{ claims: { a: 'b' } }] } } }));
    expect(configs).toHaveLength(4);
    expect(configs.at(2)).toMatchObject({ issuers: [{ jwks_uri: 'https://id.example.test/keys' }] });
  });

  it('refuses all tokens when the gateway is gone, and accepts them when it is back', () => {
    const { authentication, configs } = follow();
    authentication.follow(createGateway({ oidc }));
    authentication.refuse('gone');
    authentication.refuse('gone');
    authentication.follow(createGateway({ oidc }));
    expect(configs).toMatchObject([{ audience: 'gatehouse' }, { missing: 'gone' }, { audience: 'gatehouse' }]);
  });
});
