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

describe('the payers of a person', () => {
  it('are the person, then groups by precedence and id, and nobody without a budget', () => {
    fc.assert(
      fc.property(limits, byDefault, groups, (own, standard, held) => {
        const found = listCandidates('alice', own, standard, held);
        const [personal] = found;
        const hasOwn = own.length > 0 || standard !== undefined;
        expect(personal?.scope === 'user').toBe(hasOwn);
        expect(found.every((candidate) => candidate.limits.length > 0)).toBe(true);
        const asked = found.filter(({ scope }) => scope === 'group').map(({ subject_id }) => subject_id);
        const expected: GroupBudgets[] = [];
        for (const precedence of [1, 2, 3, 4, undefined]) {
          const same = held.filter((group) => group.precedence === precedence && group.limits.length > 0);
          expected.push(...same.sort((a, b) => (a.id < b.id ? -1 : 1)));
        }
        expect(asked).toEqual(expected.map(({ id }) => id));
      }),
    );
  });

  it('have the default budget at its own period, where they have no own one', () => {
    fc.assert(
      fc.property(limits, byDefault, (own, standard) => {
        const [personal] = listCandidates('alice', own, standard, []);
        const held = personal?.limits ?? [];
        expect(new Set(held.map(({ period }) => period)).size).toBe(held.length);
        for (const limit of own) expect(held).toContainEqual(limit);
        const expected: PeriodLimit[] =
          standard === undefined || own.some(({ period }) => period === standard.period)
            ? own
            : [...own, { ...standard, by_default: true }];
        expect(held).toEqual(expected);
      }),
    );
  });
});

/** A candidate and what its cells hold. */
const funded = fc
  .tuple(
    limits.filter((some) => some.length > 0),
    fc.array(fc.tuple(usd, usd), { minLength: 3, maxLength: 3 }),
  )
  .map(([held, amounts]) => {
    const candidate: Candidate = { scope: 'user', subject_id: 'alice', limits: held };
    const cells = new Map<string, CellAmounts>(
      held.map(({ period }, n) => {
        const [used, reserved] = amounts[n] ?? [0n, 0n];
        return [getCellId(getCellKey(candidate, period, at)), { used, reserved }];
      }),
    );
    return { candidate, cells };
  });

describe('a payer', () => {
  it('can pay exactly what all of its periods have left', () => {
    fc.assert(
      fc.property(funded, usd, ({ candidate, cells }, amount) => {
        const rooms = candidate.limits.map(({ period, limit }) => {
          const held = cells.get(getCellId(getCellKey(candidate, period, at)));
          return (held?.used ?? 0n) + (held?.reserved ?? 0n) + amount <= limit;
        });
        expect(canPay(candidate, cells, at, amount)).toBe(amount === 0n || rooms.every(Boolean));
        const left = computeRemaining(candidate, cells, at);
        if (left > 0n) {
          expect(canPay(candidate, cells, at, left)).toBe(true);
          expect(canPay(candidate, cells, at, left + 1n)).toBe(false);
        } else expect(canPay(candidate, cells, at, 1n)).toBe(false);
      }),
    );
  });

  it('can pay nothing whatever is used, and counts a cell that nobody used as empty', () => {
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

  it('is not held up by what was used in another window', () => {
    const candidate: Candidate = { scope: 'user', subject_id: 'a', limits: [{ period: 'day', limit: 1n }] };
    const cells = new Map([[getCellId(getCellKey(candidate, 'day', at)), { used: 1n, reserved: 0n }]]);
    const midnight = new Date('2026-11-22T00:00:00Z');
    expect(canPay(candidate, cells, new Date(midnight.getTime() - 1), 1n)).toBe(false);
    expect(canPay(candidate, cells, midnight, 1n)).toBe(true);
  });
});
