import { describe, expect, it } from '@jest/globals';
import { STANDARD_CLAIMS } from './claims.ts';
import { decide } from './decide.ts';
import { callEngine, EngineError, getEngineGeneration } from './engine.ts';
import { type PolicySet, preparePolicySet } from './policy-set.ts';

const prepare = (id: string, document: string) => preparePolicySet(id, document, STANDARD_CLAIMS);
const principal = { userId: 'u', groupIds: new Set<string>(), claims: {} };
const connect = (set: PolicySet) => decide(set, principal, { action: 'connect' });
const PERMIT_ALL = 'permit(principal, action, resource);';
const TOO_DEEP = `permit(principal, action, resource) when { ${'('.repeat(5_000)}true${')'.repeat(5_000)} };`;

describe('an engine that crashes', () => {
  it('fails one call and is replaced, and the new engine parses the sets again', () => {
    const [permitting, forbidding] = [prepare('a', PERMIT_ALL), prepare('b', PERMIT_ALL.replace('permit', 'forbid'))];
    expect([connect(permitting).allowed, connect(forbidding).allowed]).toEqual([true, false]);
    const before = getEngineGeneration();
    expect(() => callEngine((cedar) => cedar.policyToJson(TOO_DEEP))).toThrow(EngineError);
    expect(getEngineGeneration()).toBe(before + 1);
    for (let run = 0; run < 3; run += 1)
      expect([connect(permitting).allowed, connect(forbidding).allowed]).toEqual([true, false]);
    expect(getEngineGeneration()).toBe(before + 1);
  });

  it('blocks the policy that crashed it: a deny without a second crash, and other policies still decide', () => {
    const permitting = prepare('a', PERMIT_ALL);
    const crashing: PolicySet = { ...permitting, policies: { crashing: TOO_DEEP } };
    const before = getEngineGeneration();
    for (let run = 0; run < 3; run += 1) {
      expect(connect(crashing)).toEqual({ allowed: false, reasons: [], errors: [expect.stringContaining('crashed')] });
      expect(connect(permitting).allowed).toBe(true);
    }
    expect(getEngineGeneration()).toBe(before + 1);
  });
});
