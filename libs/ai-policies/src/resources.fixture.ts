import type { AIGatewaySpec, AIPolicySpec } from '@gatehouse/ai-resources/generated/types';
import { type AIGateway, type AIPolicy, API_VERSION, type ObjectMeta } from '@gatehouse/ai-resources/resource';

const createMetadata = (name: string): ObjectMeta => ({
  name,
  namespace: 'gatehouse',
  uid: `uid-${name}`,
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: '2026-01-31T12:00:00Z',
});

/** A stored policy of the gateway `local`. */
export const createPolicy = (name: string, spec: Partial<AIPolicySpec> = {}): AIPolicy => ({
  apiVersion: API_VERSION,
  kind: 'AIPolicy',
  metadata: createMetadata(name),
  spec: { gatewayRef: { name: 'local' }, principalMatchers: [], ...spec },
});

/** A stored gateway. */
export const createGateway = (spec: Partial<AIGatewaySpec> = {}): AIGateway => ({
  apiVersion: API_VERSION,
  kind: 'AIGateway',
  metadata: createMetadata('local'),
  spec: {
    auth: { oidc: { issuer: 'https://login.example.com', audience: 'gatehouse' } },
    virtualKeys: { enabled: true },
    ...spec,
  },
});
