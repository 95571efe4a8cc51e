import { describe, expect, it } from '@jest/globals';
import { decide } from './decide.ts';
import { type PolicySet, preparePolicySet } from './policy-set.ts';

/** More than the evaluator has names for. */
const MANY = 4_100;

/** A sum is left to Cedar. */
const setFor = (n: number): PolicySet =>
  preparePolicySet(`c${n}`, `permit(principal in Group::"g${n}", action, resource) when { 1 + 1 == 2 };`, {});
const allowed = (set: PolicySet, group: string): boolean =>
  decide(set, { userId: 'u', groupIds: new Set([group]), claims: {} }, { action: 'connect' }).allowed;

describe('parsed policy sets', () => {
  it('are never taken for one another, also when all names are in use and a set does not parse', () => {
    const sets = Array.from({ length: MANY }, (_, n) => setFor(n));
    for (const [n, set] of sets.entries()) expect(allowed(set, `g${n}`)).toBe(true);
    const { slices, ...rest } = setFor(0);
    const connecting = { ...slices.connect, policies: { broken: 'permit (nobody' }, plain: undefined };
    const broken: PolicySet = { ...rest, slices: { ...slices, connect: connecting } };
    expect(() => allowed(broken, 'g0')).toThrow(/do not parse/);
    expect(allowed(setFor(MANY), `g${MANY}`)).toBe(true);
    for (const [n, set] of sets.slice(-50).entries()) {
      const own = `g${MANY - 50 + n}`;
      expect([allowed(set, own), allowed(set, `g${MANY}`)]).toEqual([true, false]);
    }
  }, 60_000);
});
