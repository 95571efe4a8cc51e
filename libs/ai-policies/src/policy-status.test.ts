import { describe, expect, it } from '@jest/globals';
import type { AIPolicySpec, AIPolicyStatus, Condition } from '@gatehouse/ai-resources/generated/types';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import { findViolations } from '@gatehouse/ai-resources/validation';
import { computePolicyStatus } from './policy-status.ts';
import { createGateway, createPolicy } from './resources.fixture.ts';

const NOW = new Date('2026-02-01T08:30:15.999Z');
const LATER = new Date('2026-02-02T00:00:00Z');
const backends = [{ provider: 'main', weight: 1, priority: 0 }];
const GATEWAY = createGateway({ routes: [{ match: { model: 'a' }, backends }] });

const grant = (...models: string[]): Partial<AIPolicySpec> => ({ budgets: [{ name: 'x', models }] });
const withStatus = (policy: AIPolicy, status: AIPolicyStatus, generation = 1): AIPolicy => ({
  ...policy,
  metadata: { ...policy.metadata, generation },
  status,
});
const getCondition = (status: AIPolicyStatus, type: string): Condition | undefined =>
  status.conditions?.find((condition) => condition.type === type);

describe('computePolicyStatus', () => {
  it('accepts a policy whose gateway serves its models', () => {
    expect(computePolicyStatus(createPolicy('p', grant('a', '*')), GATEWAY, NOW)).toEqual({
      observedGeneration: 1,
      appliedToSecurityPolicy: '',
      conditions: [
        {
          type: 'Accepted',
          status: 'True',
          reason: 'Accepted',
          message: 'The AIGateway local exists.',
          lastTransitionTime: '2026-02-01T08:30:15Z',
          observedGeneration: 1,
        },
        {
          type: 'ResolvedRefs',
          status: 'True',
          reason: 'ResolvedRefs',
          message: 'The AIGateway local serves all granted models.',
          lastTransitionTime: '2026-02-01T08:30:15Z',
          observedGeneration: 1,
        },
      ],
    });
  });

  it('refuses a policy without its gateway', () => {
    const { conditions } = computePolicyStatus(createPolicy('p', grant('a')), undefined, NOW);
    expect(conditions?.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
      ['Accepted', 'False', 'GatewayNotFound', 'There is no AIGateway local.'],
      ['ResolvedRefs', 'False', 'GatewayNotFound', 'There is no AIGateway local.'],
    ]);
  });

  it.each([
    [['b', 'a'], 'The AIGateway local has no route for b.'],
    [['f', 'e', 'd', 'c', 'b'], 'The AIGateway local has no route for b, c, d, e, f.'],
    [['g', 'f', 'e', 'd', 'c', 'b', 'h'], 'The AIGateway local has no route for b, c, d, e, f and 2 more.'],
  ])('names at most five models without a route: %j', (models, message) => {
    const status = computePolicyStatus(createPolicy('p', grant(...models)), GATEWAY, NOW);
    expect(getCondition(status, 'ResolvedRefs')).toMatchObject({ status: 'False', reason: 'ModelNotFound', message });
    expect(getCondition(status, 'Accepted')).toMatchObject({ status: 'True' });
  });

  it('finds each model at a gateway with a default route', () => {
    const gateway = createGateway({ defaultRoute: { backends } });
    const status = computePolicyStatus(createPolicy('p', grant('any')), gateway, NOW);
    expect(getCondition(status, 'ResolvedRefs')).toMatchObject({ status: 'True' });
  });

  it('returns an equal status when nothing has changed', () => {
    const policy = createPolicy('p', grant('b'));
    const status = computePolicyStatus(policy, GATEWAY, NOW);
    expect(computePolicyStatus(withStatus(policy, status), GATEWAY, LATER)).toEqual(status);
  });

  it('changes the time of a condition with its status only', () => {
    const policy = createPolicy('p', grant('b'));
    const before = withStatus(policy, computePolicyStatus(policy, undefined, NOW), 2);
    const status = computePolicyStatus(before, GATEWAY, LATER);
    expect(getCondition(status, 'Accepted')).toMatchObject({
      lastTransitionTime: '2026-02-02T00:00:00Z',
      observedGeneration: 2,
    });
    expect(getCondition(status, 'ResolvedRefs')).toMatchObject({
      reason: 'ModelNotFound',
      lastTransitionTime: '2026-02-01T08:30:15Z',
      observedGeneration: 2,
    });
    expect(status.observedGeneration).toBe(2);
  });

  it('keeps the conditions of other programs', () => {
    const other = {
      type: 'Synced',
      status: 'True',
      reason: 'Done',
      message: '',
      lastTransitionTime: '2020-01-01T00:00:00Z',
    } as const;
    const policy = withStatus(createPolicy('p'), { conditions: [other] });
    expect(computePolicyStatus(policy, GATEWAY, NOW).conditions).toContainEqual(other);
  });

  it('returns a status that the CRD accepts', () => {
    const policy = createPolicy('p', { ...grant('x'.repeat(256)), principalMatchers: [{ claims: { sub: 'alice' } }] });
    expect(findViolations('AIPolicy', withStatus(policy, computePolicyStatus(policy, GATEWAY, NOW)))).toEqual([]);
  });
});
