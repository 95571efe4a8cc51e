import { describe, expect, it } from '@jest/globals';
import { resolveServiceRoles } from './service-roles.ts';

const matchers = (role: string) => [{ claims: { roles: role } }];
const authz = {
  roles: {
    admin: matchers('boss'),
    policyEditor: matchers('editor'),
    authenticated: matchers('staff'),
    gateway: matchers('machine'),
    auditor: matchers('auditor'),
    custom: matchers('staff'),
  },
};

describe('resolveServiceRoles', () => {
  it.each([
    [['staff'], ['authenticated']],
    [['editor'], ['policyEditor', 'authenticated']],
    [['boss'], ['admin', 'authenticated']],
    [
      ['boss', 'staff'],
      ['admin', 'authenticated'],
    ],
    [['machine'], ['gateway']],
    [['auditor', 'nothing'], []],
  ])('gives a token with the roles %j the roles %j', (roles, expected) => {
    expect(resolveServiceRoles({ roles }, authz)).toEqual(expected);
  });

  it('gives no role without matchers', () => {
    for (const empty of [undefined, {}, { roles: {} }])
      expect(resolveServiceRoles({ roles: ['admin'] }, empty)).toEqual([]);
  });
});
