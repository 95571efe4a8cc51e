import { describe, expect, it } from '@jest/globals';
import { buildPolicy, withGateway } from './new-policy.ts';

const FILE = `
apiVersion: gatehouse.dev/v1alpha1
kind: AIPolicy
metadata:
  name: of-file
  labels: { team: support, tier: a }
spec:
  gatewayRef: { name: other }
  description: of the file
  principalMatchers: [{ claims: { groups: staff } }]
  budgets: [{ name: x, models: ['*'] }]
`;

describe('buildPolicy', () => {
  it('describes a policy by flags alone', () => {
    const flags = { name: 'team', match: ['groups=a', 'groups=b'], grant: ['gpt', 'claude'], label: ['k=v', 'e='] };
    expect(buildPolicy({ ...flags, description: '' }, undefined)).toMatchObject({
      policy: {
        metadata: { name: 'team', labels: { k: 'v', e: '' } },
        spec: {
          description: '',
          principalMatchers: [{ claims: { groups: 'a' } }, { claims: { groups: 'b' } }],
          budgets: [{ name: 'default', models: ['gpt', 'claude'] }],
        },
      },
      hasGateway: false,
    });
  });

  it('keeps the fields of a file that no flag sets', () => {
    const { policy, hasGateway } = buildPolicy({ label: ['tier=b'] }, FILE);
    expect(hasGateway).toBe(true);
    expect(policy).toMatchObject({
      apiVersion: 'gatehouse.dev/v1alpha1',
      metadata: { name: 'of-file', labels: { team: 'support', tier: 'b' } },
      spec: { gatewayRef: { name: 'other' }, description: 'of the file', budgets: [{ name: 'x', models: ['*'] }] },
    });
  });

  it('overrides the fields of a file with flags', () => {
    const flags = { name: 'n', gateway: 'g', description: 'd', match: ['a=b'], grant: ['m'] };
    expect(buildPolicy(flags, FILE).policy).toMatchObject({
      metadata: { name: 'n' },
      spec: {
        gatewayRef: { name: 'g' },
        description: 'd',
        principalMatchers: [{ claims: { a: 'b' } }],
        budgets: [{ name: 'default', models: ['m'] }],
      },
    });
  });

  it('finds the lines of a file, and the flags that set a field', () => {
    const { sources } = buildPolicy({ name: 'n', grant: ['m'] }, FILE);
    expect(sources.flags).toEqual({ '/metadata/name': 'NAME', '/spec/budgets': '--grant' });
    expect(sources.findLine?.('/spec/description')).toBe(9);
  });

  it.each([
    [{}, undefined, 'Give the name'],
    [{ name: 'n', label: ['team'] }, undefined, '--label "team" must be KEY=VALUE'],
    [{ name: 'n', match: ['x'] }, undefined, '--match'],
    [{ name: 'n' }, 'a: 1\na: 2', 'line 2: Map keys must be unique'],
    [{ name: 'n' }, '- a', 'must be an object'],
    [{ name: 'n' }, '', 'must be an object'],
    [{ name: 'n' }, 'spec: text', 'spec of the AI policy must be an object'],
  ])('refuses %j with the file %j', (flags, file, sentence) =>
    expect(() => buildPolicy(flags, file)).toThrow(sentence),
  );
});

it('withGateway adds the gateway of the instance', () => {
  const { policy } = buildPolicy({ name: 'n', match: ['a=b'] }, undefined);
  expect(withGateway(policy, 'local').spec).toEqual({
    gatewayRef: { name: 'local' },
    principalMatchers: [{ claims: { a: 'b' } }],
  });
});
