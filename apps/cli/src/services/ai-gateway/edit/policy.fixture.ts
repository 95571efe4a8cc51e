import type { Policy } from '../policies.ts';

/** A policy as the service returns it. */
export const createPolicyFixture = (spec: Partial<Policy['spec']> = {}, resourceVersion = '7'): Policy => ({
  apiVersion: 'gatehouse.dev/v1alpha1',
  kind: 'AIPolicy',
  metadata: { name: 'team', namespace: 'default', uid: 'u-1', resourceVersion, generation: 1 },
  spec: {
    gatewayRef: { name: 'local' },
    description: 'Models of the team',
    principalMatchers: [{ claims: { groups: 'team' } }],
    budgets: [{ name: 'default', models: ['gpt'] }],
    ...spec,
  },
  status: { observedGeneration: 1 },
});
