import { describe, expect, it } from '@jest/globals';
import { formatMatcher, parseMatcher } from './principal-matchers.ts';

describe('--match', () => {
  it.each([
    ['groups=engineering', { groups: 'engineering' }],
    ['groups=engineering&email_verified=true', { groups: 'engineering', email_verified: 'true' }],
    ['groups=Night%20Shift', { groups: 'Night Shift' }],
    ['groups=Night+Shift', { groups: 'Night Shift' }],
    ['team=r%26d%3Dx%25%2B', { team: 'r&d=x%+' }],
    ['query=a=b', { query: 'a=b' }],
    ['realm_access.roles=ai', { 'realm_access.roles': 'ai' }],
    ['gr%C3%B6%C3%9Fe=%E6%9D%B1', { größe: '東' }],
    ['größe=東', { größe: '東' }],
  ])('%s', (text, claims) => expect(parseMatcher(text)).toEqual({ claims }));

  it('keeps a claim with the name of a property of objects', () => {
    expect(Object.entries(parseMatcher('__proto__=x').claims)).toEqual([['__proto__', 'x']]);
  });

  it.each([
    ['', 'claims with values'],
    ['groups', 'claims with values'],
    ['groups=', 'claims with values'],
    ['=engineering', 'claims with values'],
    ['groups=a&', 'claims with values'],
    ['groups=a&groups=b', 'has the claim groups twice'],
    ['groups=%FF', 'not UTF-8'],
  ])('%j is refused: %s', (text, reason) => expect(() => parseMatcher(text)).toThrow(reason));
});

it('formatMatcher shows the claims without percent-encoding', () => {
  expect(formatMatcher({ claims: { groups: 'r&d', email_verified: 'true' } })).toBe('groups=r&d&email_verified=true');
});
