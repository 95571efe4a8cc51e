import { describe, expect, it } from '@jest/globals';
import { STANDARD_CLAIMS } from './claims.ts';
import { type AuthorizationRequest, decide, type Principal } from './decide.ts';
import { DecisionCache } from './decision-cache.ts';
import { preparePolicySet } from './policy-set.ts';

const CONNECTOR = 'c0ffee00-0000-7000-8000-000000000001';
const prepare = (document: string) => preparePolicySet(CONNECTOR, document, { ...STANDARD_CLAIMS, level: 'Long' });
const person = (overrides: Partial<Principal> = {}): Principal => ({
  userId: 'u',
  groupIds: new Set(),
  claims: {},
  ...overrides,
});
const call = (name: string): AuthorizationRequest => ({ action: 'call_tool', name });

describe('DecisionCache', () => {
  it('separates decisions by user, group, claim, action, name and policy version', () => {
    const cache = new DecisionCache();
    const documents = [
      'permit(principal in Group::"a", action, resource);',
      'permit(principal == User::"u", action, resource);',
      'permit(principal, action, resource) when { principal has claim_email && principal.claim_email == "x" };',
      'permit(principal, action, resource) when { principal has claim_level && principal.claim_level == 0 };',
      'permit(principal, action, resource) when { principal has claim_roles && principal.claim_roles.contains("x,y") };',
      'permit(principal, action == Action::"call_tool", resource == Tool::"a b");',
      'permit(principal, action == Action::"connect", resource);',
    ];
    const people = [
      person(),
      person({ userId: 'v' }),
      person({ groupIds: new Set(['a']) }),
      person({ groupIds: new Set(['b']) }),
      person({ claims: { email: 'x' } }),
      person({ claims: { email: '' } }),
      person({ claims: { email: null } }),
      person({ claims: { level: 0 } }),
      person({ claims: { level: '0' } }),
      person({ claims: { roles: ['x,y'] } }),
      person({ claims: { roles: ['x', 'y'] } }),
      person({ claims: { roles: 'x,y' } }),
    ];
    const requests: AuthorizationRequest[] = [
      { action: 'connect' },
      { action: 'list_tools' },
      call(''),
      call('a b'),
      call('a'),
    ];
    for (const document of [...documents, ...documents]) {
      const set = prepare(document);
      for (let again = 0; again < 2; again += 1)
        for (const one of people)
          for (const request of requests) expect(cache.decide(set, one, request)).toEqual(decide(set, one, request));
    }
  });

  it('bounds the number of entries and does not cache requests with long texts', () => {
    const cache = new DecisionCache(10);
    const set = prepare('permit(principal, action, resource) unless { resource has name && resource.name == "none" };');
    for (let n = 0; n < 100; n += 1) cache.decide(set, person(), call(`tool-${n}`));
    expect(cache.size).toBe(10);
    const other = new DecisionCache();
    expect(other.decide(set, person(), call('x'.repeat(20_000))).allowed).toBe(true);
    expect(other.size).toBe(0);
  });

  it('does not cache failed decisions, whose texts identify the user', () => {
    const cache = new DecisionCache();
    const set = prepare('permit(principal, action, resource) when { principal.claim_email == "x" };');
    const errorsFor = (userId: string) => cache.decide(set, person({ userId }), { action: 'connect' }).errors.join();
    expect(errorsFor('ann')).toContain('ann');
    expect(errorsFor('bob')).not.toContain('ann');
    expect(cache.size).toBe(0);
  });
});
