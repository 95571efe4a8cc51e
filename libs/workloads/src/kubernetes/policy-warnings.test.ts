import { describe, expect, it } from '@jest/globals';
import { RunConfigSchema } from '../configuration/run-config.ts';
import { listWideningPolicies } from './policy-warnings.ts';

const createParts = (fields: object = {}) => ({
  config: RunConfigSchema.parse({ name: 'web', image: 'x', isolate_network: true, ...fields }),
  ...{ namespace: 'tools', homeId: '01234567', instance: 'abc' },
});
const policy = (spec: object, labels = {}) => ({
  metadata: { name: 'other', labels },
  spec: { podSelector: {}, policyTypes: ['Egress'], egress: [{}], ...spec },
});
const require = (key: string, operator: string, values?: string[]) => ({
  podSelector: { matchExpressions: [{ key, operator, ...(values && { values }) }] },
});

describe('listWideningPolicies', () => {
  it.each([
    ['selects all pods and allows them to go out', policy({})],
    ['lets pods reach the server', policy({ policyTypes: ['Ingress'], ingress: [{}] })],
    [
      'selects the label of the workload',
      policy({ podSelector: { matchLabels: { 'gatehouse.dev/workload': 'web' } } }),
    ],
    [
      'selects the proxy',
      policy({ ...require('gatehouse.dev/component', 'In', ['proxy']), policyTypes: ['Ingress'], ingress: [{}] }),
    ],
    ['selects pods without a label', policy(require('app', 'DoesNotExist'))],
    ['selects other values', policy(require('gatehouse.dev/workload', 'NotIn', ['x']))],
    ['selects a key', policy(require('gatehouse.dev/workload', 'Exists'))],
  ])('finds a policy that %s', (_, found) => expect(listWideningPolicies([found], createParts())).toEqual(['other']));

  it.each([
    ['selects other pods', policy({ podSelector: { matchLabels: { app: 'web' } } }), {}],
    ['closes everything', policy({ policyTypes: ['Ingress', 'Egress'], egress: [] }), {}],
    ['is of the workload itself', policy({}, { 'gatehouse.dev/instance': 'abc' }), {}],
    ['allows what a server without isolation has anyway', policy({}), { isolate_network: false }],
    ['selects a missing key', policy(require('app', 'Exists')), {}],
    ['has an expression that is not fulfilled', policy(require('app', 'In', ['x'])), {}],
  ])('ignores a policy that %s', (_, ignored, fields) =>
    expect(listWideningPolicies([ignored], createParts(fields))).toEqual([]),
  );
});
