import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import type { Claims } from './claims.ts';
import { PolicyIndex } from './policy-index.ts';
import { matchesPrincipal } from './principal-matcher.ts';
import { createPolicy } from './resources.fixture.ts';

const name = fc.constantFrom('a', 'b', 'a.b', 'b.a', '', '__proto__', 'constructor');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.'));
const text = fc.constantFrom('x', 'y', 'true', '1');
const { value } = fc.letrec<{ value: unknown; object: Claims }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(text, fc.constantFrom<unknown>(true, 1, 1.5, null, 2 ** 60)),
    fc.array(fc.oneof(text, fc.constantFrom<unknown>(true, 1, null, ['x'], { a: 'x' })), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(createObject),
}));
const claims = fc.array(fc.tuple(name, value), { maxLength: 7 }).map(createObject);
const matcher = fc
  .array(fc.tuple(path, text), { maxLength: 2 })
  .map((members) => ({ claims: createObject(members) as Record<string, string> }));
const change = fc.record({
  policy: fc.constantFrom('p0', 'p1', 'p2', 'p3'),
  matchers: fc.option(fc.array(matcher, { maxLength: 3 })),
});

/** An object with exactly these members, `__proto__` among them. */
function createObject(members: readonly (readonly [string, unknown])[]): Claims {
  return JSON.parse(
    `{${members.map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`).join(',')}}`,
  ) as Claims;
}

const listNames = (policies: readonly { metadata: { name: string } }[]): string[] =>
  policies.map(({ metadata }) => metadata.name);

describe('PolicyIndex', () => {
  it('finds the policies that a walk over all policies finds, after each change', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 8 }),
        fc.array(claims, { minLength: 1, maxLength: 5 }),
        (changes, principals) => {
          const index = new PolicyIndex();
          const policies = new Map<string, ReturnType<typeof createPolicy>>();
          for (const { policy: key, matchers } of changes) {
            if (matchers === null) {
              policies.delete(key);
              index.remove(key);
            } else {
              policies.set(key, createPolicy(key, { principalMatchers: matchers }));
              index.put(policies.get(key)!);
            }
            for (const principal of principals) {
              const walked = [...policies.values()].filter(({ spec }) =>
                matchesPrincipal(principal, spec.principalMatchers),
              );
              expect(listNames(index.find(principal))).toEqual(listNames(walked).sort());
            }
          }
        },
      ),
      { numRuns: 1000 * effort },
    );
  });

  it('returns the replacement of a policy', () => {
    const index = new PolicyIndex();
    index.put(createPolicy('p', { principalMatchers: [{ claims: { sub: 'alice' } }] }));
    const replacement = createPolicy('p', { principalMatchers: [{ claims: { sub: 'alice' } }] });
    index.put(replacement);
    expect(index.find({ sub: 'alice' })).toEqual([replacement]);
    expect(index.find({ sub: 'alice' })[0]).toBe(replacement);
  });

  it('does not confuse the end of a name with the beginning of a text', () => {
    const index = new PolicyIndex();
    index.put(createPolicy('p', { principalMatchers: [{ claims: { ab: 'c' } }] }));
    expect(index.find({ a: 'bc' })).toEqual([]);
  });

  it('searches claims that are nested deeply', () => {
    const index = new PolicyIndex();
    index.put(createPolicy('p', { principalMatchers: [{ claims: { sub: 'alice' } }] }));
    const nested = Array.from({ length: 3000 }).reduce<Claims>((inner) => ({ a: inner }), {});
    expect(listNames(index.find({ ...nested, sub: 'alice' }))).toEqual(['p']);
  });

  it('searches 160,000 matchers with a common claim 2,000 times without examining all of them', () => {
    const index = new PolicyIndex();
    for (let at = 0; at < 5000; at += 1) {
      const principalMatchers = Array.from({ length: 32 }, (_, group) => ({
        claims: { iss: 'https://login.example.com', groups: `team-${at}-${group}` },
      }));
      index.put(createPolicy(`p${at}`, { principalMatchers }));
    }
    for (let at = 0; at < 2000; at += 1) {
      const groups = [`team-${at}-3`, 'team-4999-31', 'team-5000-0'];
      expect(listNames(index.find({ iss: 'https://login.example.com', groups }))).toEqual([`p${at}`, 'p4999'].sort());
    }
  });
});
