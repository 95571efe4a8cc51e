import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CellAmounts, getCellKey, getCellId } from './cell.ts';
import {
  type Candidate,
  type GroupBudgets,
  type PeriodLimit,
  canPay,
  listCandidates,
  computeRemaining,
  listLimitedCellKeys,
} from './payer.ts';
import { PERIODS } from './period.ts';

const at = new Date('2026-11-21T12:00:00Z');
const usd = fc.bigInt({ min: 0n, max: 10n ** 12n });
const limits = fc.uniqueArray(fc.record({ period: fc.constantFrom(...PERIODS), limit: usd }), {
  selector: ({ period }) => period,
});
const groups = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    precedence: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    limits,
  }),
  { selector: ({ id }) => id },
);
const byDefault = fc.option(fc.record({ period: fc.constantFrom(...PERIODS), limit: usd }), { nil: undefined });

describe('listCandidates', () => {
  it('lists the user, then groups by precedence and id, without payers that have no budget', () => {
    fc.assert(
      fc.property(limits, byDefault, groups, (own, defaultBudget, userGroups) => {
        const found = listCandidates('alice', own, defaultBudget, userGroups);
        const [first] = found;
        const userHasBudget = own.length > 0 || defaultBudget !== undefined;
        expect(first?.scope === 'user').toBe(userHasBudget);
        expect(found.every((candidate) => candidate.limits.length > 0)).toBe(true);
        const groupIds = found.filter(({ scope }) => scope === 'group').map(({ subject_id }) => subject_id);
        const expected: GroupBudgets[] = [];
        for (const precedence of [1, 2, 3, 4, undefined]) {
          const same = userGroups.filter((group) => group.precedence === precedence && group.limits.length > 0);
          expected.push(...same.sort((a, b) => (a.id < b.id ? -1 : 1)));
        }
        expect(groupIds).toEqual(expected.map(({ id }) => id));
      }),
    );
  });

  it('adds the default budget when the user has no budget of their own for its period', () => {
    fc.assert(
      fc.property(limits, byDefault, (own, defaultBudget) => {
        const [user] = listCandidates('alice', own, defaultBudget, []);
        const result = user?.limits ?? [];
        expect(new Set(result.map(({ period }) => period)).size).toBe(result.length);
        for (const limit of own) expect(result).toContainEqual(limit);
        const expected: PeriodLimit[] =
          defaultBudget === undefined || own.some(({ period }) => period === defaultBudget.period)
            ? own
            : [...own, { ...defaultBudget, by_default: true }];
        expect(result).toEqual(expected);
      }),
    );
  });
});

/** A candidate and the amounts of its cells. */
const funded = fc
  .tuple(
    limits.filter((some) => some.length > 0),
    fc.array(fc.tuple(usd, usd), { minLength: 3, maxLength: 3 }),
  )
  .map(([periodLimits, amounts]) => {
    const candidate: Candidate = { scope: 'user', subject_id: 'alice', limits: periodLimits };
    const cells = new Map<string, CellAmounts>(
      periodLimits.map(({ period }, n) => {
        const [used, reserved] = amounts[n] ?? [0n, 0n];
        return [getCellId(getCellKey(candidate, period, at)), { used, reserved }];
      }),
    );
    return { candidate, cells };
  });

describe('canPay', () => {
  it('allows exactly the remaining amount of all periods', () => {
    fc.assert(
      fc.property(funded, usd, ({ candidate, cells }, amount) => {
        const fits = candidate.limits.map(({ period, limit }) => {
          const amounts = cells.get(getCellId(getCellKey(candidate, period, at)));
          return (amounts?.used ?? 0n) + (amounts?.reserved ?? 0n) + amount <= limit;
        });
        expect(canPay(candidate, cells, at, amount)).toBe(amount === 0n || fits.every(Boolean));
        const remaining = computeRemaining(candidate, cells, at);
        if (remaining > 0n) {
          expect(canPay(candidate, cells, at, remaining)).toBe(true);
          expect(canPay(candidate, cells, at, remaining + 1n)).toBe(false);
        } else expect(canPay(candidate, cells, at, 1n)).toBe(false);
      }),
    );
  });

  it('allows an amount of 0 in any case, and treats an unused cell as empty', () => {
    const candidate: Candidate = {
      scope: 'group',
      subject_id: 'g',
      limits: [
        { period: 'day', limit: 5n },
        { period: 'year', limit: 3n },
      ],
    };
    expect(computeRemaining(candidate, new Map(), at)).toBe(3n);
    expect(listLimitedCellKeys(candidate, at).map(({ period_start }) => period_start)).toEqual([
      '2026-11-21',
      '2026-01-01',
    ]);
    const spent = new Map([[getCellId(getCellKey(candidate, 'day', at)), { used: 9n, reserved: 0n }]]);
    expect(computeRemaining(candidate, spent, at)).toBe(-4n);
    expect([canPay(candidate, spent, at, 0n), canPay(candidate, spent, at, 1n)]).toEqual([true, false]);
  });

  it('ignores usage in another window', () => {
    const candidate: Candidate = { scope: 'user', subject_id: 'a', limits: [{ period: 'day', limit: 1n }] };
    const cells = new Map([[getCellId(getCellKey(candidate, 'day', at)), { used: 1n, reserved: 0n }]]);
    const midnight = new Date('2026-11-22T00:00:00Z');
    expect(canPay(candidate, cells, new Date(midnight.getTime() - 1), 1n)).toBe(false);
    expect(canPay(candidate, cells, midnight, 1n)).toBe(true);
  });
});
