import { describe, expect, it } from '@jest/globals';
import { validationError } from '@gatehouse/service-kit/sentences';
import type { Budget } from './budget.ts';
import { findContradictions } from './budget-violations.ts';
import { BudgetCollection, toBudget, toBudgetSpec } from './budgets.dto.ts';

const GROUP = '01890000-0000-7000-8000-00000000000a';
const ALICE: Budget = { scope: 'user', subject_id: 'alice', period: 'month', limit: 5n };

/** Returns the error of a collection with one budget; undefined for a valid collection. */
const validate = (budget: object): string | undefined => {
  const { error } = BudgetCollection.safeParse({
    budgets: [{ scope: 'user', subject_id: 'alice', limit_usd: '1', period: 'day', ...budget }],
  });
  return error && validationError(error.issues).message;
};

describe('BudgetSpec', () => {
  it.each([
    12,
    1.5,
    -1,
    null,
    true,
    {},
    [],
    '',
    ' ',
    '1e3',
    '1E3',
    '-1',
    '+1',
    '01',
    '.5',
    '1.',
    '1,5',
    '1_000',
    'NaN',
    'Infinity',
    '0x10',
    '١٢',
    '１２',
    '1.0000000000',
    '1'.repeat(40),
    '1234567890123',
    '1 ',
    ' 1',
    '1\n',
    '$1',
    '1.2.3',
    '−1',
  ])('refuses the limit %j and names the field', (limit_usd) => {
    expect(validate({ limit_usd })).toMatch(/^budgets\[0\]\.limit_usd: must be /);
  });

  it.each(['0', '0.000000001', '999999999999.999999999', '12.50', '1'])('accepts the limit %s', (limit_usd) => {
    expect(validate({ limit_usd })).toBeUndefined();
  });

  it.each([
    [{ period: 'week' }, 'budgets[0].period: must be one of "day", "month", "year"'],
    [{ period: undefined }, 'budgets[0].period: is required'],
    [{ scope: 'team' }, 'budgets[0].scope: must be one of "user", "group"'],
    [{ subject_id: '' }, 'budgets[0].subject_id: must have at least 1 character'],
    [{ subject_id: 'x'.repeat(321) }, 'budgets[0].subject_id: must have at most 320 characters'],
    [{ scope: 'group' }, 'budgets[0].subject_id: must be the UUID of a group'],
    [{ precedence: 1 }, 'budgets[0].precedence: is only allowed for budgets of groups'],
    [{ scope: 'group', subject_id: GROUP, precedence: 0 }, 'budgets[0].precedence: must be at least 1'],
    [{ scope: 'group', subject_id: GROUP, precedence: 1.5 }, 'budgets[0].precedence: must be an integer'],
    [{ scope: 'group', subject_id: GROUP, precedence: 2 ** 31 }, 'budgets[0].precedence: must be at most 2147483647'],
    [{ limit: '1' }, 'budgets[0].limit: is not a known field'],
  ])('refuses %j with the message %j', (budget, sentence) => {
    expect(validate(budget)).toContain(sentence);
  });

  it('returns a budget as given, with the id of a group in lower case', () => {
    const given = {
      scope: 'group',
      subject_id: GROUP.toUpperCase(),
      limit_usd: '7.5',
      period: 'year',
      precedence: 3,
    } as const;
    expect(toBudgetSpec(toBudget(given))).toEqual({ ...given, subject_id: GROUP, limit_usd: '7.500000000' });
  });
});

describe('findContradictions', () => {
  it('finds a second budget for the same scope, subject and period', () => {
    const others: Budget[] = [
      { ...ALICE, period: 'day' },
      { ...ALICE, subject_id: 'Alice' },
      { ...ALICE, scope: 'group', subject_id: GROUP },
    ];
    expect(findContradictions([ALICE, ...others])).toEqual([]);
    expect(findContradictions([ALICE, ...others, { ...ALICE, limit: 9n }])).toEqual([
      { index: 4, field: '', message: 'is for the same subject and period as budgets[0]' },
    ]);
  });

  it('finds different precedences of one group', () => {
    const group = (period: Budget['period'], precedence?: number): Budget => ({
      scope: 'group',
      subject_id: GROUP,
      period,
      limit: 1n,
      precedence,
    });
    expect(findContradictions([group('day', 2), group('month'), group('year', 2)])).toEqual([]);
    expect(findContradictions([group('day'), group('month', 2), group('year', 3)])).toEqual([
      { index: 2, field: 'precedence', message: 'differs from that of the same group in budgets[1]' },
    ]);
  });
});
