import { describe, expect, it } from '@jest/globals';
import { CONNECTOR, DECISIONS, type DecisionCase, NESTING } from './cases/decisions.ts';
import { DOCUMENTS } from './cases/documents.ts';
import { type ClaimMapping, STANDARD_CLAIMS } from './claims.ts';
import { type AuthorizationRequest, decide, type Principal } from './decide.ts';
import { DecisionCache } from './decision-cache.ts';
import { examineDocument, formatFaults } from './document.ts';
import { preparePolicySet } from './policy-set.ts';

const CLAIMS: ClaimMapping = { ...STANDARD_CLAIMS, level: 'Long' };

function expandGroups(direct: readonly string[]): ReadonlySet<string> {
  const all = new Set(direct);
  for (const group of all) for (const above of NESTING[group] ?? []) all.add(above);
  return all;
}
const toPrincipal = ({ user, groups, claims }: DecisionCase): Principal => ({
  userId: user ?? 'a-user',
  groupIds: expandGroups(groups ?? []),
  claims: claims ?? {},
});
const toRequest = ({ request: ask = ['connect'] }: DecisionCase) =>
  (ask[1] === undefined ? { action: ask[0] } : { action: ask[0], name: ask[1] }) as AuthorizationRequest;

describe('decide, for', () => {
  const cache = new DecisionCache();

  it.each(DECISIONS.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const set = preparePolicySet(CONNECTOR, one.document, CLAIMS);
    const decision = decide(set, toPrincipal(one), toRequest(one));
    const outcome = decision.errors.length > 0 ? 'error' : decision.allowed ? 'allow' : 'deny';
    expect([outcome, decision.allowed]).toEqual([one.decision, one.decision === 'allow']);
    if (one.reasons !== undefined) expect(decision.reasons).toEqual(one.reasons);
    for (let again = 0; again < 2; again += 1)
      expect(cache.decide(set, toPrincipal(one), toRequest(one))).toEqual(decision);
  });

  it('documents that pass validation, unless the case is invalid', () => {
    const verdicts = DECISIONS.map(({ name, document, invalid }) => {
      const { faults } = examineDocument(document, CONNECTOR, CLAIMS);
      return faults.length > 0 === (invalid ?? false) ? '' : `${name}: ${formatFaults(faults)}`;
    });
    expect(verdicts.filter(Boolean)).toEqual([]);
  });

  it('at least sixty cases with different names', () => {
    expect(new Set(DECISIONS.map(({ name }) => name)).size).toBe(DECISIONS.length);
    expect(DECISIONS.length).toBeGreaterThanOrEqual(60);
  });
});

describe('examineDocument', () => {
  it.each(DOCUMENTS.map((one) => [one.name, one] as const))('accepts or refuses %s at its position', (_, one) => {
    const { faults } = examineDocument(one.document, CONNECTOR, CLAIMS);
    const [first] = faults;
    expect(first === undefined ? undefined : [first.line, first.column]).toEqual(one.refused);
    if (one.because !== undefined) expect(formatFaults(faults)).toContain(one.because);
  });
});
