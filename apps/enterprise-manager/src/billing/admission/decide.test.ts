import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { type CellAmounts, getCellKey, getCellId } from '../budgets/cell.ts';
import type { Candidate } from '../budgets/payer.ts';
import { PERIODS, type Period } from '../budgets/period.ts';
import { Ledger, type Want, decide } from './decide.ts';

const AT = new Date('2026-03-31T23:59:59.999Z');

const candidate = (subject_id: string, limits: Partial<Record<Period, bigint>>, scope: 'user' | 'group' = 'group') => ({
  scope,
  subject_id,
  limits: PERIODS.flatMap((period) => (limits[period] === undefined ? [] : [{ period, limit: limits[period] }])),
});
const cell = (subject_id: string, period: Period, used: bigint, reserved = 0n): [string, CellAmounts] => [
  getCellId(getCellKey({ scope: 'group', subject_id }, period, AT)),
  { used, reserved },
];
const all = (candidates: readonly Candidate[], amount: bigint): Want => ({ candidates, amount, how: 'all' });

describe('a decision with all cells held', () => {
  it('lets the first in order pay whose every period has room', () => {
    const [a, b, c] = [
      candidate('a', { day: 10n, month: 100n }),
      candidate('b', { month: 50n }),
      candidate('c', { year: 9n }),
    ];
    const cells = new Map([cell('a', 'day', 3n, 3n), cell('a', 'month', 90n), cell('b', 'month', 45n)]);
    const want = (amount: bigint) => decide(new Ledger(cells, AT), all([a, b, c], amount));
    expect(want(4n)).toEqual({ payer: a, amount: 4n });
    expect(want(5n)).toEqual({ payer: b, amount: 5n });
    expect(want(9n)).toEqual({ payer: c, amount: 9n });
    expect(want(10n)).toBe('exhausted');
  });

  it('takes the amount from the cells of every period, also from those without a limit', () => {
    const ledger = new Ledger(new Map(), AT);
    const a = candidate('a', { month: 5n });
    decide(ledger, all([a], 3n));
    decide(ledger, all([a], 2n));
    const change = { scope: 'group', subject_id: 'a', reserved: 5n, limit: undefined };
    expect(ledger.changes()).toEqual([
      { ...change, period: 'day', period_start: '2026-03-31' },
      { ...change, period: 'month', period_start: '2026-03-01', limit: 5n },
      { ...change, period: 'year', period_start: '2026-01-01' },
    ]);
  });

  it('admits what is free at an exhausted budget, and holds nothing for it', () => {
    const [a, b] = [candidate('a', { day: 1n }), candidate('b', { day: 9n })];
    const ledger = new Ledger(new Map([cell('a', 'day', 5n)]), AT);
    const free: Want = { candidates: [a, b], amount: 0n, how: 'free' };
    expect(decide(ledger, free)).toEqual({ payer: a, amount: 0n });
    expect(ledger.changes()).toEqual([]);
  });

  it('refuses what is estimated at nothing, but is not free, where a limit is passed already', () => {
    const a = candidate('a', { day: 1n });
    expect(decide(new Ledger(new Map([cell('a', 'day', 2n)]), AT), all([a], 0n))).toBe('exhausted');
    expect(decide(new Ledger(new Map([cell('a', 'day', 1n)]), AT), all([a], 0n))).toEqual({ payer: a, amount: 0n });
  });

  it('grants a lease what the first payer with anything left has left, not what a later one could give', () => {
    const [a, b] = [candidate('a', { day: 10n, year: 7n }), candidate('b', { day: 100n })];
    const lease: Want = { candidates: [a, b], amount: 50n, how: 'some' };
    const ledger = new Ledger(new Map([cell('a', 'year', 5n)]), AT);
    expect(decide(ledger, lease)).toEqual({ payer: a, amount: 2n });
    expect(decide(ledger, lease)).toEqual({ payer: b, amount: 50n });
    expect(decide(ledger, lease)).toEqual({ payer: b, amount: 50n });
    expect(decide(ledger, lease)).toBe('exhausted');
  });
});

describe('a decision with cells that nobody holds', () => {
  const [a, b] = [candidate('a', { day: 10n }), candidate('b', { day: 10n })];
  const want = all([a, b], 6n);

  it('goes through all in order, counting what those before it took', () => {
    const [before, ledger] = [new Ledger(new Map(), AT), new Ledger(new Map(), AT)];
    expect([1, 2].map(() => decide(ledger, want, before))).toEqual([
      { payer: a, amount: 6n },
      { payer: b, amount: 6n },
    ]);
  });

  it('stays open where only others of the batch are in the way, who may yet fail', () => {
    const [before, ledger] = [new Ledger(new Map(), AT), new Ledger(new Map(), AT)];
    for (let taken = 0; taken < 2; taken += 1) decide(ledger, want, before);
    expect(decide(ledger, want, before)).toBe('open');
  });

  it('refuses at once where nobody could pay when the cells were read', () => {
    const [before, ledger] = [new Ledger(new Map(), AT), new Ledger(new Map(), AT)];
    expect(decide(ledger, all([a, b], 11n), before)).toBe('exhausted');
  });

  it('names the limit of each cell that it takes from, to be looked at again when it is taken', () => {
    const ledger = new Ledger(new Map(), AT);
    decide(ledger, all([candidate('a', { day: 9n, year: 90n })], 4n), new Ledger(new Map(), AT));
    expect(ledger.changes().map(({ period, limit }) => [period, limit])).toEqual([
      ['day', 9n],
      ['month', undefined],
      ['year', 90n],
    ]);
  });
});

const amount = fc.bigInt({ min: 0n, max: 40n });
const limits = fc.record({ day: amount, month: amount, year: amount }, { requiredKeys: [] });
const subjects = ['a', 'b', 'c', 'd'];
const people = fc.tuple(...subjects.map((subject) => limits.map((some) => candidate(subject, some))));
const cells = fc
  .array(fc.tuple(fc.constantFrom(...subjects), fc.constantFrom(...PERIODS), amount, amount))
  .map((list) => new Map(list.map(([subject, period, used, reserved]) => cell(subject, period, used, reserved))));
const asks = fc.array(
  fc.record({
    order: fc.uniqueArray(fc.nat(subjects.length - 1), { minLength: 1 }),
    amount,
    how: fc.constantFrom('all' as const, 'some' as const, 'free' as const),
  }),
  { maxLength: 30 },
);

describe('any batch', () => {
  it('in one round or in two, never passes a limit, gives all or nothing, and leaves nobody out who could be paid for', () => {
    fc.assert(
      fc.property(people, cells, asks, (candidates, before, wanted) => {
        const wants = wanted
          .map(({ order, amount, how }): Want => ({
            candidates: order.flatMap((at) => candidates[at] ?? []).filter(({ limits }) => limits.length > 0),
            amount: how === 'free' ? 0n : amount,
            how,
          }))
          .filter(({ candidates }) => candidates.length > 0);
        const [unchanged, first] = [new Ledger(before, AT), new Ledger(before, AT)];
        const verdicts = wants.map((want) => decide(first, want, unchanged));
        const between = added(before, first);
        const second = new Ledger(between, AT);
        const final = verdicts.map((verdict, at) => {
          const want = wants[at]!;
          return verdict === 'open' ? decide(second, want) : verdict;
        });
        const after = added(between, second);
        for (const { subject_id, limits } of candidates)
          for (const { period, limit } of limits) {
            const [was, is] = [before, after].map((state) => total(state, subject_id, period));
            expect(is! <= limit || is === was).toBe(true);
          }
        for (const [at, verdict] of final.entries()) {
          const want = wants[at]!;
          if (verdict === 'open') throw new Error('open after all cells were held');
          if (verdict === 'exhausted') {
            // Amounts only grow within a batch: whoever could pay in the end could have paid
            // before.
            expect(want.how === 'free' ? undefined : new Ledger(after, AT).firstOf(want)).toBeUndefined();
          } else if (want.how === 'all') expect(verdict.amount).toBe(want.amount);
          else if (want.how === 'some') expect(verdict.amount > 0n || want.amount === 0n).toBe(true);
          else expect(verdict).toEqual({ payer: want.candidates[0], amount: 0n });
        }
        const granted = final.reduce((sum, verdict) => (typeof verdict === 'string' ? sum : sum + verdict.amount), 0n);
        const days = [...after].filter(([id]) => id.includes(' day '));
        const grown = days.reduce((sum, [id, { reserved }]) => sum + reserved - (before.get(id)?.reserved ?? 0n), 0n);
        expect(grown).toBe(granted);
      }),
      { numRuns: 2_000 * effort },
    );
  });
});

const total = (state: ReadonlyMap<string, CellAmounts>, subject_id: string, period: Period): bigint => {
  const { used, reserved } = state.get(getCellId(getCellKey({ scope: 'group', subject_id }, period, AT))) ?? {
    used: 0n,
    reserved: 0n,
  };
  return used + reserved;
};

/** What cells hold after a ledger's changes: as the database would add them. */
function added(cells: ReadonlyMap<string, CellAmounts>, ledger: Ledger): Map<string, CellAmounts> {
  const after = new Map(cells);
  for (const { reserved, ...key } of ledger.changes()) {
    const was = after.get(getCellId(key)) ?? { used: 0n, reserved: 0n };
    after.set(getCellId(key), { used: was.used, reserved: was.reserved + reserved });
  }
  return after;
}
