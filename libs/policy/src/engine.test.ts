import { describe, expect, it } from '@jest/globals';
import { STANDARD_CLAIMS } from './claims.ts';
import { decide } from './decide.ts';
import { ask, EngineFailure, engineNumber } from './engine.ts';
import { type PolicySet, preparePolicySet } from './policy-set.ts';

const prepare = (id: string, document: string) => preparePolicySet(id, document, STANDARD_CLAIMS);
const person = { userId: 'u', groupIds: new Set<string>(), claims: {} };
const connect = (set: PolicySet) => decide(set, person, { action: 'connect' });
/** A sum is left to Cedar. */
const OPEN = 'permit(principal, action, resource) when { 1 + 1 == 2 };';
const TOO_DEEP = `permit(principal, action, resource) when { ${'('.repeat(5_000)}true${')'.repeat(5_000)} };`;

describe('an engine that breaks down', () => {
  it('fails one question and is replaced: sets that it held are read again', () => {
    const [open, shut] = [prepare('a', OPEN), prepare('b', OPEN.replace('permit', 'forbid'))];
    expect([connect(open).allowed, connect(shut).allowed]).toEqual([true, false]);
    const before = engineNumber();
    expect(() => ask((cedar) => cedar.policyToJson(TOO_DEEP))).toThrow(EngineFailure);
    expect(engineNumber()).toBe(before + 1);
    for (let again = 0; again < 3; again += 1)
      expect([connect(open).allowed, connect(shut).allowed]).toEqual([true, false]);
    expect(engineNumber()).toBe(before + 1);
  });

  it('over a policy shuts out that policy alone, as a deny, and once', () => {
    const open = prepare('a', OPEN);
    const connecting = { ...open.slices.connect, policies: { broken: TOO_DEEP }, plain: undefined };
    const broken: PolicySet = { ...open, slices: { ...open.slices, connect: connecting } };
    const before = engineNumber();
    for (let again = 0; again < 3; again += 1) {
      expect(connect(broken)).toEqual({ allowed: false, reasons: [], errors: [expect.stringContaining('broke down')] });
      expect(connect(open).allowed).toBe(true);
    }
    expect(engineNumber()).toBe(before + 1);
  });
});
