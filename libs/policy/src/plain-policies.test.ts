import { describe, expect, it } from '@jest/globals';
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
      { numRuns: 200 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(2_000);
  }, 60_000);
});
