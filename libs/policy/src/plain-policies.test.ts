import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { askCedar, evaluate } from './decide.ts';
import { preparePolicySet } from './policy-set.ts';

describe('patterns of plain policies', () => {
  it('match what they match in Cedar', () => {
    const letter = fc.constantFrom('a', 'b', '😀');
    const pattern = fc.array(fc.oneof(letter, fc.constant('*'), fc.constant('\\*')), { maxLength: 7 });
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 20, maxLength: 20 }),
        fc.array(fc.array(fc.oneof(letter, fc.constant('*')), { maxLength: 6 }), { minLength: 10, maxLength: 10 }),
        (patterns, texts) => {
          const document = patterns.map(
            (one) => `permit(principal, action, resource) when { resource.name like "${one.join('')}" };`,
          );
          const set = preparePolicySet('c', document.join('\n'), {});
          for (const text of texts) {
            const asked = { action: 'call_tool', name: text.join('') } as const;
            const principal = { userId: 'u', groupIds: new Set<string>(), claims: {} };
            const decision = evaluate(set, principal, {}, asked);
            expect(decision).toEqual(askCedar(set, principal, {}, asked));
            seen.true += decision.reasons.length;
            seen.false += patterns.length - decision.reasons.length;
          }
        },
      ),
      { numRuns: 200 * effort },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(2_000);
  }, 60_000);
});

describe('lists of plain policies', () => {
  const roles = (count: number, name: string) => Array.from({ length: count }, (_, n) => `${name}-${n}`);
  const asking = (expression: string) =>
    preparePolicySet('c', `permit(principal, action, resource) when { ${expression} };`, {});
  const person = { userId: 'u', groupIds: new Set<string>(), claims: {} };
  const connect = { action: 'connect' } as const;

  it('of any length and mixture hold what they hold in Cedar', () => {
    const item = fc.constantFrom('"1"', '1', 'true', '"true"', '""', 'User::"u"', 'Group::"u"', '0', '-1', '"a"');
    const list = fc.array(item, { maxLength: 24 });
    const held = fc.array(fc.constantFrom('1', 'true', '', 'a', 'u', 'role-7'), { maxLength: 24 });
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(list, list, item, held, (left, right, one, claim) => {
        for (const expression of [
          `[${left.join()}].contains(${one})`,
          `[${left.join()}].containsAll([${right.join()}])`,
          `[${left.join()}].containsAny([${right.join()}])`,
          `principal.claim_roles.containsAny([${right.join()}])`,
          `[${left.join()}].containsAll(principal.claim_roles)`,
        ]) {
          const set = asking(expression);
          const decision = evaluate(set, person, { claim_roles: claim }, connect);
          expect(set.slices.connect.plain).toBeDefined();
          expect(decision).toEqual(askCedar(set, person, { claim_roles: claim }, connect));
          seen[`${decision.allowed}`] += 1;
        }
      }),
      { numRuns: 200 * effort },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
  }, 60_000);

  it('of a thousand items are compared with as many claims in less time than Cedar takes', () => {
    const set = asking(`principal.claim_roles.containsAny(${JSON.stringify(roles(1_000, 'listed'))})`);
    const claims = { claim_roles: roles(1_000, 'held') };
    const cpuOf = (decide: typeof evaluate) => {
      decide(set, person, claims, connect);
      const before = process.cpuUsage();
      for (let times = 0; times < 20; times += 1) expect(decide(set, person, claims, connect).allowed).toBe(false);
      return process.cpuUsage(before).user;
    };
    expect(cpuOf(evaluate)).toBeLessThan(cpuOf(askCedar));
  }, 60_000);
});
