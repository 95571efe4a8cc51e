import { describe, expect, it } from '@jest/globals';
import { STANDARD_CLAIMS } from './claims.ts';
import { decide } from './decide.ts';
import { compileGrants } from './grants.ts';
import { preparePolicySet } from './policy-set.ts';

const CONNECTOR = 'c0ffee00-0000-7000-8000-000000000001';
const OTHER_CONNECTOR = 'c0ffee00-0000-7000-8000-000000000002';
const GROUPS = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002'];
const prepare = (document: string) => preparePolicySet(CONNECTOR, document, STANDARD_CLAIMS);

describe('a policy set', () => {
  it('lists the groups and claims that its policies mention', () => {
    const { groups, claims, hasPatterns } = prepare(`
      permit(principal in Group::"staff", action, resource);
      forbid(principal in Group::"guests", action, resource) when { principal.claim_email like "*@example.org" };`);
    expect([groups, [...claims.keys()], hasPatterns]).toEqual([['staff', 'guests'], ['claim_email'], true]);
  });

  it.each<[string, { users?: true; resources?: true }]>([
    ['permit(principal in Group::"g", action == Action::"call_tool", resource is Tool);', {}],
    ['permit(principal == User::"u", action, resource);', { users: true }],
    ['permit(principal, action, resource) when { [User::"u"].contains(principal) };', { users: true }],
    ['permit(principal, action, resource == Tool::"t");', { resources: true }],
    ['permit(principal, action, resource) when { [Prompt::"p"].contains(resource) };', { resources: true }],
    ['permit(principal, action, resource) when { resource.name == "t" };', { resources: true }],
    ['permit(principal, action, resource) when { resource["uri"] == "t" };', { resources: true }],
    ['permit(principal, action, resource) when { resource has name };', { resources: true }],
  ])('records whether %s mentions users or resources', (document, { users = false, resources = false }) => {
    const { mentionsUsers, mentionsResources } = prepare(document);
    expect([mentionsUsers, mentionsResources]).toEqual([users, resources]);
  });

  it('combines the grants of its connector into one policy under a name of the document', () => {
    const set = prepare(`${compileGrants(CONNECTOR, GROUPS)}\n@id("no") forbid(principal, action, resource);`);
    expect(Object.keys(set.policies)).toEqual(['no', `grant-${GROUPS[0]}`]);
    expect([...(set.grants?.nameByGroup.values() ?? [])]).toEqual(GROUPS.map((id) => `grant-${id}`));
  });

  it('leaves grants of another connector as they are: they permit nothing here', () => {
    const set = prepare(compileGrants(OTHER_CONNECTOR, GROUPS));
    expect([Object.keys(set.policies).length, set.grants]).toEqual([2, undefined]);
    const principal = { userId: 'u', groupIds: new Set(GROUPS), claims: {} };
    expect(decide(set, principal, { action: 'connect' }).allowed).toBe(false);
  });

  it('keeps policies whose ids are names of properties of JavaScript objects', () => {
    const set = prepare(
      ['permit', 'forbid']
        .map((effect, n) => `@id("${['constructor', '__proto__'][n]}") ${effect}(principal, action, resource);`)
        .join('\n'),
    );
    const principal = { userId: 'u', groupIds: new Set<string>(), claims: {} };
    expect(decide(set, principal, { action: 'connect' })).toMatchObject({ allowed: false, reasons: ['__proto__'] });
  });
});
