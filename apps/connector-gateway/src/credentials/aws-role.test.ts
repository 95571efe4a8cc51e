import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { chooseRole, createSessionName } from './aws-role.ts';
import type { AuthSettings } from './auth-settings.ts';

type Settings = AuthSettings<'aws_sts'>;
const createSettings = (more: Partial<Settings>): Settings => ({
  region: 'eu-central-1',
  service: 'aws-mcp',
  role_claim: 'groups',
  role_mappings: [],
  session_duration: 3_600,
  session_name_claim: 'sub',
  ...more,
});
const match = (matcher: string, value: string): boolean =>
  chooseRole(createSettings({ role_mappings: [{ matcher, priority: 0, role_arn: 'r' }] }), { groups: value }) === 'r';

describe('chooseRole', () => {
  it('takes the matching mapping with the lowest priority', () => {
    const role_mappings = [
      { claim: 'readers', priority: 10, role_arn: 'reader' },
      { claim: 'admins', priority: 1, role_arn: 'admin' },
      { matcher: 'team-*', priority: 5, role_arn: 'team' },
      { claim: 'admins', priority: 1, role_arn: 'later' },
    ];
    const settings = createSettings({ role_mappings, fallback_role_arn: 'fallback' });
    expect(chooseRole(settings, { groups: ['readers', 'admins'] })).toBe('admin');
    expect(chooseRole(settings, { groups: ['readers', 'team-a'] })).toBe('team');
    expect(chooseRole(settings, { groups: 'readers' })).toBe('reader');
    expect(chooseRole(settings, { groups: ['others'] })).toBe('fallback');
    expect(chooseRole(settings, {})).toBe('fallback');
    expect(chooseRole(createSettings({ role_mappings }), { groups: ['others'] })).toBeUndefined();
  });

  it('reads a claim by its name or its path', () => {
    const role_mappings = [{ claim: 'a', priority: 0, role_arn: 'r' }];
    const settings = createSettings({ role_mappings, role_claim: 'realm.roles' });
    expect(chooseRole(settings, { realm: { roles: ['a'] } })).toBe('r');
    expect(chooseRole(settings, { 'realm.roles': ['a'] })).toBe('r');
    expect(chooseRole(createSettings({ role_mappings, role_claim: 'constructor.name' }), {})).toBeUndefined();
  });

  it.each([
    ['a*', 'abc', true],
    ['*c', 'abc', true],
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['*b*', 'abc', true],
    ['*', '', true],
    ['a*a', 'a', false],
    ['a*b*b', 'ab', false],
    ['abc', 'abcd', false],
    ['a.c', 'abc', false],
    ['A*', 'abc', false],
  ])('matches the pattern %j with %j: %j', (pattern, value, expected) => {
    expect(match(pattern, value)).toBe(expected);
  });

  it('matches like the equivalent regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, value) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '[^]*')}$`);
        expect(match(pattern, value)).toBe(expression.test(value));
      }),
      { numRuns: 200 * effort, seed },
    );
  });

  it('takes linear time for a hostile pattern', () => {
    expect(match('*a'.repeat(1_000), 'a'.repeat(100_000).concat('b'))).toBe(false);
  });
});

describe('createSessionName', () => {
  it.each([
    ['alice@example.test', 'alice@example.test'],
    ['auth0|alice doe', 'auth0-alice-doe'],
    ['x'.repeat(100), 'x'.repeat(64)],
    ['a', 'gatehouse-a'],
    [undefined, 'gatehouse-'],
  ])('turns %j into %j', (sub, name) => {
    expect(createSessionName(createSettings({}), { sub })).toBe(name);
  });
});
