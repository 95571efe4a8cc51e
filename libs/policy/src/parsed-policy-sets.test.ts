import { describe, expect, it } from '@jest/globals';
import { decide } from './decide.ts';
import { type PolicySet, preparePolicySet } from './policy-set.ts';

/** More sets than Cedar stores at once. */
const MANY = 4_100;

const setFor = (n: number): PolicySet =>
  preparePolicySet(`c${n}`, `permit(principal in Group::"g${n}", action, resource);`, {});
const isAllowed = (set: PolicySet, group: string): boolean =>
  decide(set, { userId: 'u', groupIds: new Set([group]), claims: {} }, { action: 'connect' }).allowed;

describe('parsed policy sets', () => {
  it('keep their identity when all names are in use and when a set does not parse', () => {
    const sets = Array.from({ length: MANY }, (_, n) => setFor(n));
    for (const [n, set] of sets.entries()) expect(isAllowed(set, `g${n}`)).toBe(true);
    const invalid: PolicySet = { ...setFor(0), policies: { invalid: 'permit (nothing' } };
    expect(() => isAllowed(invalid, 'g0')).toThrow(/do not parse/);
    expect(isAllowed(setFor(MANY), `g${MANY}`)).toBe(true);
    for (const [n, set] of [...sets.slice(0, 50), ...sets.slice(-50)].entries()) {
      const own = `g${n < 50 ? n : MANY - 100 + n}`;
      expect([isAllowed(set, own), isAllowed(set, `g${MANY}`)]).toEqual([true, false]);
    }
  }, 60_000);
});
