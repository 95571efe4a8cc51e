import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { type CellAmounts, getCellKey, getCellId } from '../budgets/cell.ts';
import type { Candidate } from '../budgets/payer.ts';
import { PERIODS, type Period } from '../budgets/period.ts';
import { type AllocationRequest, CellBalances, allocate } from './allocation.ts';

const AT = new Date('2026-03-31T23:59:59.999Z');

const makeCandidate = (
  subject_id: string,
  limits: Partial<Record<Period, bigint>>,
  scope: 'user' | 'group' = 'group',
) => ({
  scope,
  subject_id,
  limits: PERIODS.flatMap((period) => (limits[period] === undefined ? [] : [{ period, limit: limits[period] }])),
});
const makeCell = (subject_id: string, period: Period, used: bigint, reserved = 0n): [string, CellAmounts] => [
  getCellId(getCellKey({ scope: 'group', subject_id }, period, AT)),
  { used, reserved },
];
const makeFullRequest = (candidates: readonly Candidate[], amount: bigint): AllocationRequest => ({
  candidates,
  amount,
  mode: 'full',
});

describe('allocate with locked cells', () => {
  it('chooses the first payer that can pay in all its periods', () => {
    const [a, b, c] = [
      makeCandidate('a', { day: 10n, month: 100n }),
      makeCandidate('b', { month: 50n }),
      makeCandidate('c', { year: 9n }),
    ];
    const cells = new Map([makeCell('a', 'day', 3n, 3n), makeCell('a', 'month', 90n), makeCell('b', 'month', 45n)]);
    const allocateAmount = (amount: bigint) =>
      allocate(new CellBalances(cells, AT), makeFullRequest([a, b, c], amount));
    expect(allocateAmount(4n)).toEqual({ payer: a, amount: 4n });
    expect(allocateAmount(5n)).toEqual({ payer: b, amount: 5n });
    expect(allocateAmount(9n)).toEqual({ payer: c, amount: 9n });
    expect(allocateAmount(10n)).toBe('exhausted');
  });

  it('reserves in the cells of all periods, also in those without a limit', () => {
    const balances = new CellBalances(new Map(), AT);
    const a = makeCandidate('a', { month: 5n });
    allocate(balances, makeFullRequest([a], 3n));
    allocate(balances, makeFullRequest([a], 2n));
    const change = { scope: 'group', subject_id: 'a', reserved: 5n, limit: undefined };
    expect(balances.listReservations()).toEqual([
      { ...change, period: 'day', period_start: '2026-03-31' },
      { ...change, period: 'month', period_start: '2026-03-01', limit: 5n },
      { ...change, period: 'year', period_start: '2026-01-01' },
    ]);
  });

  it('allocates a free request from an exhausted budget and reserves nothing', () => {
    const [a, b] = [makeCandidate('a', { day: 1n }), makeCandidate('b', { day: 9n })];
    const balances = new CellBalances(new Map([makeCell('a', 'day', 5n)]), AT);
    const free: AllocationRequest = { candidates: [a, b], amount: 0n, mode: 'free' };
    expect(allocate(balances, free)).toEqual({ payer: a, amount: 0n });
    expect(balances.listReservations()).toEqual([]);
  });

  it('denies a request with an estimate of 0 that is not free when a limit is exceeded', () => {
    const a = makeCandidate('a', { day: 1n });
    expect(allocate(new CellBalances(new Map([makeCell('a', 'day', 2n)]), AT), makeFullRequest([a], 0n))).toBe(
      'exhausted',
    );
    expect(allocate(new CellBalances(new Map([makeCell('a', 'day', 1n)]), AT), makeFullRequest([a], 0n))).toEqual({
      payer: a,
      amount: 0n,
    });
  });

  it('grants a lease the remaining amount of the first payer that has one', () => {
    const [a, b] = [makeCandidate('a', { day: 10n, year: 7n }), makeCandidate('b', { day: 100n })];
    const lease: AllocationRequest = { candidates: [a, b], amount: 50n, mode: 'partial' };
    const balances = new CellBalances(new Map([makeCell('a', 'year', 5n)]), AT);
    expect(allocate(balances, lease)).toEqual({ payer: a, amount: 2n });
    expect(allocate(balances, lease)).toEqual({ payer: b, amount: 50n });
    expect(allocate(balances, lease)).toEqual({ payer: b, amount: 50n });
    expect(allocate(balances, lease)).toBe('exhausted');
  });
});

describe('allocate with a share', () => {
  const a = makeCandidate('a', { day: 100n });
  const lease: AllocationRequest = { candidates: [a], amount: 90n, mode: 'partial', sharePercent: 25n };

  it('grants a lease at most that part of the remaining amount', () => {
    const balances = new CellBalances(new Map(), AT);
    const granted = [1, 2, 3].map(() => allocate(balances, lease));
    expect(granted.map((result) => (typeof result === 'string' ? result : result.amount))).toEqual([25n, 18n, 14n]);
  });

  it('grants the whole amount where its part of the rest is larger', () => {
    expect(allocate(new CellBalances(new Map(), AT), { ...lease, amount: 20n })).toEqual({ payer: a, amount: 20n });
  });

  it('grants nothing where the part is less than a nano-dollar', () => {
    expect(allocate(new CellBalances(new Map([makeCell('a', 'day', 97n)]), AT), lease)).toBe('exhausted');
  });
});

describe('allocate with unlocked cells', () => {
  const [a, b] = [makeCandidate('a', { day: 10n }), makeCandidate('b', { day: 10n })];
  const request = makeFullRequest([a, b], 6n);

  it('counts the reservations of earlier requests of the batch', () => {
    const [initial, balances] = [new CellBalances(new Map(), AT), new CellBalances(new Map(), AT)];
    expect([1, 2].map(() => allocate(balances, request, initial))).toEqual([
      { payer: a, amount: 6n },
      { payer: b, amount: 6n },
    ]);
  });

  it('returns undecided when only other requests of the batch exhaust the budget', () => {
    const [initial, balances] = [new CellBalances(new Map(), AT), new CellBalances(new Map(), AT)];
    for (let count = 0; count < 2; count += 1) allocate(balances, request, initial);
    expect(allocate(balances, request, initial)).toBe('undecided');
  });

  it('returns exhausted when no payer could pay at the time of the read', () => {
    const [initial, balances] = [new CellBalances(new Map(), AT), new CellBalances(new Map(), AT)];
    expect(allocate(balances, makeFullRequest([a, b], 11n), initial)).toBe('exhausted');
  });

  it('lists the limit of each cell, which is checked again when the amount is stored', () => {
    const balances = new CellBalances(new Map(), AT);
    allocate(
      balances,
      makeFullRequest([makeCandidate('a', { day: 9n, year: 90n })], 4n),
      new CellBalances(new Map(), AT),
    );
    expect(balances.listReservations().map(({ period, limit }) => [period, limit])).toEqual([
      ['day', 9n],
      ['month', undefined],
      ['year', 90n],
    ]);
  });
});

const amount = fc.bigInt({ min: 0n, max: 40n });
const limits = fc.record({ day: amount, month: amount, year: amount }, { requiredKeys: [] });
const subjects = ['a', 'b', 'c', 'd'];
const payers = fc.tuple(...subjects.map((subject) => limits.map((some) => makeCandidate(subject, some))));
const cells = fc
  .array(fc.tuple(fc.constantFrom(...subjects), fc.constantFrom(...PERIODS), amount, amount))
  .map((list) => new Map(list.map(([subject, period, used, reserved]) => makeCell(subject, period, used, reserved))));
const requests = fc.array(
  fc.record({
    order: fc.uniqueArray(fc.nat(subjects.length - 1), { minLength: 1 }),
    amount,
    mode: fc.constantFrom('full' as const, 'partial' as const, 'free' as const),
  }),
  { maxLength: 30 },
);

describe('a batch in one or two rounds', () => {
  it('never exceeds a limit, allocates full amounts, and denies only requests that no payer can pay', () => {
    fc.assert(
      fc.property(payers, cells, requests, (candidates, before, wanted) => {
        const batch = wanted
          .map(({ order, amount, mode }): AllocationRequest => ({
            candidates: order.flatMap((index) => candidates[index] ?? []).filter(({ limits }) => limits.length > 0),
            amount: mode === 'free' ? 0n : amount,
            mode,
          }))
          .filter(({ candidates }) => candidates.length > 0);
        const [initial, first] = [new CellBalances(before, AT), new CellBalances(before, AT)];
        const results = batch.map((request) => allocate(first, request, initial));
        const between = addReservations(before, first);
        const second = new CellBalances(between, AT);
        const final = results.map((result, index) => {
          const request = batch[index]!;
          return result === 'undecided' ? allocate(second, request) : result;
        });
        const after = addReservations(between, second);
        for (const { subject_id, limits } of candidates)
          for (const { period, limit } of limits) {
            const [was, is] = [before, after].map((state) => sumAmounts(state, subject_id, period));
            expect(is! <= limit || is === was).toBe(true);
          }
        for (const [index, result] of final.entries()) {
          const request = batch[index]!;
          if (result === 'undecided') throw new Error('a request is undecided with locked cells');
          if (result === 'exhausted') {
            // Amounts only grow in a batch: a payer that can pay at the end could pay before.
            expect(
              request.mode === 'free' ? undefined : new CellBalances(after, AT).findAllocation(request),
            ).toBeUndefined();
          } else if (request.mode === 'full') expect(result.amount).toBe(request.amount);
          else if (request.mode === 'partial') expect(result.amount > 0n || request.amount === 0n).toBe(true);
          else expect(result).toEqual({ payer: request.candidates[0], amount: 0n });
        }
        const granted = final.reduce((sum, result) => (typeof result === 'string' ? sum : sum + result.amount), 0n);
        const days = [...after].filter(([id]) => id.includes(' day '));
        const grown = days.reduce((sum, [id, { reserved }]) => sum + reserved - (before.get(id)?.reserved ?? 0n), 0n);
        expect(grown).toBe(granted);
      }),
      { numRuns: 2_000 * effort },
    );
  });
});

const sumAmounts = (state: ReadonlyMap<string, CellAmounts>, subject_id: string, period: Period): bigint => {
  const { used, reserved } = state.get(getCellId(getCellKey({ scope: 'group', subject_id }, period, AT))) ?? {
    used: 0n,
    reserved: 0n,
  };
  return used + reserved;
};

/** Adds the reservations of some balances to cells, as the database does. */
function addReservations(cells: ReadonlyMap<string, CellAmounts>, balances: CellBalances): Map<string, CellAmounts> {
  const after = new Map(cells);
  for (const { reserved, ...key } of balances.listReservations()) {
    const was = after.get(getCellId(key)) ?? { used: 0n, reserved: 0n };
    after.set(getCellId(key), { used: was.used, reserved: was.reserved + reserved });
  }
  return after;
}
