import { describe, expect, it } from '@jest/globals';
import { matchesPrincipal } from './principal-matcher.ts';
import { resolveRoles } from './roles.ts';

const CLAIMS = {
  sub: 'alice',
  groups: ['team-a', 'team-b', 7],
  email_verified: true,
  level: 3,
  'https://example.com/role': 'editor',
  'realm_access.roles': ['literal'],
  realm_access: { roles: ['nested'], depth: { name: 'deep' } },
  large: 2 ** 60,
  fraction: 1.5,
  nothing: null,
};

describe('matchesPrincipal', () => {
  it.each([
    ['a string', { sub: 'alice' }, true],
    ['another string', { sub: 'Alice' }, false],
    ['a part of a string', { sub: 'ali' }, false],
    ['an item of a list', { groups: 'team-b' }, true],
    ['an integer of a list', { groups: '7' }, true],
    ['all items of a list', { groups: 'team-a,team-b' }, false],
    ['a boolean', { email_verified: 'true' }, true],
    ['another boolean', { email_verified: 'True' }, false],
    ['an integer', { level: '3' }, true],
    ['another text of an integer', { level: '3.0' }, false],
    ['an integer that JavaScript rounds', { large: '1152921504606846976' }, false],
    ['a fraction', { fraction: '1.5' }, false],
    ['null', { nothing: 'null' }, false],
    ['an object', { realm_access: '[object Object]' }, false],
    ['a name with dots', { 'https://example.com/role': 'editor' }, true],
    ['a name with dots instead of the equal path', { 'realm_access.roles': 'literal' }, true],
    ['no path that equals the name of a claim', { 'realm_access.roles': 'nested' }, false],
    ['a dotted path', { 'realm_access.depth.name': 'deep' }, true],
    ['no path into a list', { 'groups.0': 'team-a' }, false],
    ['no path into a string', { 'sub.length': '5' }, false],
    ['an absent claim', { team: 'a' }, false],
    ['all claims of a matcher', { sub: 'alice', level: '3' }, true],
    ['only some claims of a matcher', { sub: 'alice', level: '4' }, false],
    ['no claims', {}, false],
    ['a name of the prototype', { constructor: 'x' }, false],
    ['a path into the prototype', { '__proto__.constructor.name': 'Object' }, false],
  ])('compares exactly: %s', (_, claims, expected) => {
    expect(matchesPrincipal(CLAIMS, [{ claims }])).toBe(expected);
  });

  it('needs one of several matchers', () => {
    expect(matchesPrincipal(CLAIMS, [{ claims: { sub: 'bob' } }, { claims: { level: '3' } }])).toBe(true);
    expect(matchesPrincipal(CLAIMS, [])).toBe(false);
  });

  it('takes __proto__ as the name of a claim', () => {
    const claims = JSON.parse('{"__proto__": "x"}') as Record<string, unknown>;
    const matcher = JSON.parse('{"claims": {"__proto__": "x"}}') as { claims: Record<string, string> };
    expect(matchesPrincipal(claims, [matcher])).toBe(true);
    expect(matchesPrincipal({}, [matcher])).toBe(false);
  });
});

describe('resolveRoles', () => {
  it('returns the sorted names of the roles that match', () => {
    const roles = {
      policyEditor: [{ claims: { groups: 'team-b' } }],
      admin: [{ claims: { sub: 'bob' } }, { claims: { sub: 'alice' } }],
      auditor: [{ claims: { sub: 'carol' } }],
      empty: [],
    };
    expect(resolveRoles(CLAIMS, roles)).toEqual(['admin', 'policyEditor']);
  });

  it('gives no role without roles', () => {
    expect(resolveRoles(CLAIMS)).toEqual([]);
  });
});
