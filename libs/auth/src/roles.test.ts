import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isGatewayOnly, mapsAdministration, getRoles } from './roles.ts';

const mapping = {
  claim: 'realm_access.roles',
  values: { admin: ['boss'], auditor: ['reader'], gateway: ['data-plane'] },
};

describe('getRoles', () => {
  it('gives each token the role user', () => {
    expect([...getRoles({}, undefined)]).toEqual(['user']);
    expect([...getRoles({ realm_access: 7 }, mapping)]).toEqual(['user']);
  });

  it('reads nested lists and single values', () => {
    expect([...getRoles({ realm_access: { roles: ['boss', 'reader', 3] } }, mapping)]).toEqual([
      'user',
      'admin',
      'auditor',
    ]);
    expect([...getRoles({ role: 'boss' }, { ...mapping, claim: 'role' })]).toEqual(['user', 'admin']);
  });

  it('prefers a claim with dots in its name to a path, and accepts a list of names', () => {
    const claim = 'https://example.test/roles';
    expect(getRoles({ [claim]: ['boss'] }, { ...mapping, claim }).has('admin')).toBe(true);
    expect(getRoles({ 'a.b': { c: ['boss'] } }, { ...mapping, claim: ['a.b', 'c'] }).has('admin')).toBe(true);
  });

  it('splits scopes at spaces, and no other string', () => {
    expect(getRoles({ scope: 'openid boss' }, { ...mapping, claim: 'scope' }).has('admin')).toBe(true);
    expect(getRoles({ group: 'not boss' }, { ...mapping, claim: 'group' }).has('admin')).toBe(false);
  });

  it('does not read prototypes', () => {
    const inherited = Object.create({ roles: ['boss'] }) as Record<string, unknown>;
    expect(getRoles({ realm_access: inherited }, mapping).has('admin')).toBe(false);
    expect(getRoles({}, { claim: '__proto__.roles', values: { admin: ['boss'] } }).has('admin')).toBe(false);
  });

  it('recognizes a token with the role gateway only (isGatewayOnly)', () => {
    expect(isGatewayOnly(new Set(['user', 'gateway']))).toBe(true);
    expect(isGatewayOnly(new Set(['user', 'gateway', 'admin']))).toBe(false);
    expect(isGatewayOnly(new Set(['user']))).toBe(false);
  });

  it('knows whether a mapping can give admin or auditor (mapsAdministration)', () => {
    expect(mapsAdministration(undefined)).toBe(false);
    expect(mapsAdministration({ claim: 'r', values: { gateway: ['g'], admin: [] } })).toBe(false);
    expect(mapsAdministration({ claim: 'r', values: { auditor: ['a'] } })).toBe(true);
  });

  it('gives a role only for a listed value', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string(), { minLength: 1 }), (held, listed) => {
        const roles = getRoles({ r: held }, { claim: 'r', values: { admin: listed } });
        expect(roles.has('admin')).toBe(held.some((value) => listed.includes(value)));
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (claims, claim) =>
        getRoles(claims, { ...mapping, claim }).has('user'),
      ),
    );
  });
});
