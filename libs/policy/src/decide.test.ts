import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { STANDARD_CLAIMS } from './claims.ts';
import { type AuthorizationRequest, decide, type Principal } from './decide.ts';
import { compileGrants } from './grants.ts';
import { preparePolicySet } from './policy-set.ts';
import { ACTIONS } from './schema.ts';

const CONNECTOR = 'c0ffee00-0000-7000-8000-000000000001';
const person = (overrides: Partial<Principal> = {}): Principal => ({
  userId: 'u-1',
  groupIds: new Set(),
  claims: {},
  ...overrides,
});
const prepare = (document: string) => preparePolicySet(CONNECTOR, document, STANDARD_CLAIMS);
const call = (name: string): AuthorizationRequest => ({ action: 'call_tool', name });

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    'a"',
    '"); permit(principal, action, resource); //',
    'x\n@id("y")\npermit(principal,action,resource);',
    '\u2028\u0000',
    '\\',
    '${x}',
    '__proto__',
    'constructor',
  ),
);

describe('compiled grants', () => {
  it('permit exactly the members of the granted groups', () => {
    const anyRequest = fc.oneof(
      fc.constantFrom('connect' as const, 'list_tools' as const).map((action): AuthorizationRequest => ({ action })),
      fc
        .tuple(fc.constantFrom('call_tool' as const, 'get_prompt' as const, 'read_resource' as const), hostileText)
        .map(([action, name]): AuthorizationRequest => ({ action, name })),
    );
    fc.assert(
      fc.property(
        hostileText,
        fc.uniqueArray(hostileText, { maxLength: 6 }),
        fc.uniqueArray(hostileText, { maxLength: 6 }),
        fc.array(fc.nat(5), { maxLength: 3 }),
        hostileText,
        anyRequest,
        (connectorId, granted, others, shared, userId, request) => {
          const mine = [...others, ...shared.map((index) => granted[index]).filter((id) => id !== undefined)];
          const set = preparePolicySet(connectorId, compileGrants(connectorId, granted), STANDARD_CLAIMS);
          const decision = decide(set, person({ userId, groupIds: new Set(mine) }), request);
          expect(decision.errors).toEqual([]);
          expect(decision.allowed).toBe(granted.some((id) => mine.includes(id)));
          expect(decision.reasons).toEqual(
            [...new Set(granted.filter((id) => mine.includes(id)).map((id) => `grant-${id}`))].sort(),
          );
        },
      ),
      { numRuns: 300 * effort },
    );
  });

  it('deny all requests when no group is granted', () => {
    const set = prepare(compileGrants(CONNECTOR, []));
    for (const action of ACTIONS) {
      const request = action === 'connect' || action === 'list_tools' ? { action } : { action, name: 'echo' };
      expect(decide(set, person({ groupIds: new Set(['g']) }), request)).toEqual({
        allowed: false,
        reasons: [],
        errors: [],
      });
    }
  });

  it('permit nothing on another connector', () => {
    const foreign = preparePolicySet('another', compileGrants(CONNECTOR, ['g']), STANDARD_CLAIMS);
    expect(decide(foreign, person({ groupIds: new Set(['g']) }), { action: 'connect' }).allowed).toBe(false);
    expect(decide(foreign, person({ groupIds: new Set(['g']) }), call('echo')).allowed).toBe(false);
  });

  it('compile to the same bytes in any order of the groups', () => {
    expect(compileGrants(CONNECTOR, ['b', 'a', 'b'])).toBe(compileGrants(CONNECTOR, ['a', 'b']));
  });
});

describe('decide', () => {
  it('denies when the evaluation of a forbid fails, even if a permit holds', () => {
    const set = prepare(`permit(principal, action, resource);
      forbid(principal, action, resource) when { principal.claim_email == "blocked@example.test" };`);
    const decision = decide(set, person(), { action: 'connect' });
    expect(decision.allowed).toBe(false);
    expect(decision.errors).toHaveLength(1);
    expect(decide(set, person({ claims: { email: 'a@example.test' } }), { action: 'connect' }).allowed).toBe(true);
  });

  it('lets a forbid win over all permits', () => {
    const set = prepare(`${compileGrants(CONNECTOR, ['g'])}
      @id("no-deletes") forbid(principal, action == Action::"call_tool", resource) when { resource.name like "delete*" };`);
    const member = person({ groupIds: new Set(['g']) });
    expect(decide(set, member, call('delete_all'))).toEqual({ allowed: false, reasons: ['no-deletes'], errors: [] });
    expect(decide(set, member, call('echo')).allowed).toBe(true);
    expect(decide(set, member, { action: 'get_prompt', name: 'delete_all' }).allowed).toBe(true);
  });

  it('compares tool names exactly: other case, look-alikes and prefixes are other tools', () => {
    const set = prepare(`permit(principal, action == Action::"call_tool", resource == Tool::"send");`);
    expect(decide(set, person(), call('send')).allowed).toBe(true);
    for (const name of ['Send', 'ѕend', 'send ', 'send\u200b', 'slug__send', '', 'sen', 'ｓend'])
      expect(decide(set, person(), call(name)).allowed).toBe(false);
  });

  it.each([
    ['email', 7],
    ['email', null],
    ['email', ['a@example.test']],
    ['email_verified', 'true'],
    ['groups', 'staff'],
    ['groups', ['staff', 1]],
    ['groups', { 0: 'staff' }],
  ])('denies when the mentioned claim %s has another type (%j)', (claim, value) => {
    const set = prepare(`permit(principal, action, resource);
      forbid(principal, action, resource) when { principal has claim_${claim} && principal.claim_${claim} == principal.claim_${claim} && false };`);
    expect(decide(set, person(), { action: 'connect' }).allowed).toBe(true);
    expect(decide(set, person({ claims: { [claim]: value } }), { action: 'connect' }).allowed).toBe(false);
  });

  it('ignores claims that no policy mentions, of any type', () => {
    const set = prepare('permit(principal, action, resource);');
    expect(decide(set, person({ claims: { email: 7, groups: 'x' } }), { action: 'connect' }).allowed).toBe(true);
  });

  it('ignores inherited properties of the claims object', () => {
    const set = preparePolicySet(
      CONNECTOR,
      'permit(principal, action, resource) when { principal has claim_toString };',
      // From entries: an object literal with toString would get the type of Object's own method.
      Object.fromEntries([['toString', 'String']]),
    );
    expect(decide(set, person(), { action: 'connect' })).toEqual({ allowed: false, reasons: [], errors: [] });
  });

  it('passes each mentioned group to Cedar, in a scope or in a condition', () => {
    const set = prepare(`permit(principal, action, resource) when {
      principal has claim_email && (principal in [Group::"x", Group::"y"] || [Group::"z"].contains(Group::"z") && principal in Group::"z")
    };`);
    const claims = { email: 'a' };
    for (const group of ['x', 'y', 'z'])
      expect(decide(set, person({ claims, groupIds: new Set([group, 'noise']) }), { action: 'connect' }).allowed).toBe(
        true,
      );
    expect(decide(set, person({ claims, groupIds: new Set(['noise']) }), { action: 'connect' }).allowed).toBe(false);
  });

  it('decides the same after Cedar had to parse the set again', () => {
    const prepareSum = (sum: number) =>
      prepare(`permit(principal in Group::"g", action, resource) when { 1 + 1 == ${sum} };`);
    const first = prepareSum(2);
    const member = person({ groupIds: new Set(['g']) });
    const before = decide(first, member, call('echo'));
    for (let index = 3; index < 4_200; index += 1)
      expect(decide(prepareSum(index), member, call('echo')).allowed).toBe(false);
    expect(decide(first, member, call('echo'))).toEqual(before);
    expect(before.allowed).toBe(true);
  }, 60_000);

  it.each<[string, Principal, string]>([
    ['a name', person({ claims: { email: 'a' } }), 'a\ud800'],
    ['a claim', person({ claims: { email: '\udc00' } }), 'a'],
    ['an item of a claim', person({ claims: { email: 'a', roles: ['x', '\udc00\ud800'] } }), 'a'],
    ['the id of a user', person({ userId: '\ud83d', claims: { email: 'a' } }), 'a'],
  ])('denies when %s contains half of a surrogate pair, which UTF-8 cannot express', (_, principal, name) => {
    const set = prepare(
      'permit(principal, action, resource) when { principal has claim_email || principal has claim_roles };',
    );
    expect(decide(set, person({ claims: { email: 'a' } }), call('a')).allowed).toBe(true);
    const { allowed, errors } = decide(set, principal, call(name));
    expect([allowed, errors]).toEqual([false, [expect.stringContaining('half of a surrogate pair')]]);
  });
});
