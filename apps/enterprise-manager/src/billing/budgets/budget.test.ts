import { describe, expect, it } from '@jest/globals';
import { validationError } from '@gatehouse/service-kit/sentences';
import { type Budget, faultsOf } from './budget.ts';
import { BudgetCollection, toBudget, toBudgetSpec } from './budgets.dto.ts';

const GROUP = '01890000-0000-7000-8000-00000000000a';
const alice: Budget = { scope: 'user', subject_id: 'alice', period: 'month', limit: 5n };

/** What a collection of one budget is refused with; undefined when it is taken. */
const refused = (budget: object): string | undefined => {
  const { error } = BudgetCollection.safeParse({
    budgets: [{ scope: 'user', subject_id: 'alice', limit_usd: '1', period: 'day', ...budget }],
  });
  return error && validationError(error.issues).message;
};

describe('a budget', () => {
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
  ])('does not have the limit %j, and the field is named', (limit_usd) => {
    expect(refused({ limit_usd })).toMatch(/^budgets\[0\]\.limit_usd: must be /);
  });

  it.each(['0', '0.000000001', '999999999999.999999999', '12.50', '1'])('can have the limit %s', (limit_usd) => {
    expect(refused({ limit_usd })).toBeUndefined();
  });

  it.each([
    [{ period: 'week' }, 'budgets[0].period: must be one of "day", "month", "year"'],
    [{ period: undefined }, 'budgets[0].period: is required'],
    [{ scope: 'team' }, 'budgets[0].scope: must be one of "user", "group"'],
    [{ subject_id: '' }, 'budgets[0].subject_id: must have at least 1 character'],
    [{ subject_id: 'x'.repeat(321) }, 'budgets[0].subject_id: must have at most 320 characters'],
    [{ scope: 'group' }, 'budgets[0].subject_id: must be the UUID of a group'],
    [{ precedence: 1 }, 'budgets[0].precedence: is for budgets of groups alone'],
    [{ scope: 'group', subject_id: GROUP, precedence: 0 }, 'budgets[0].precedence: must be at least 1'],
    [{ scope: 'group', subject_id: GROUP, precedence: 1.5 }, 'budgets[0].precedence: must be an integer'],
    [{ scope: 'group', subject_id: GROUP, precedence: 2 ** 31 }, 'budgets[0].precedence: must be at most 2147483647'],
    [{ limit: '1' }, 'budgets[0].limit: is not a known field'],
  ])('with %j is refused in a sentence', (budget, sentence) => {
    expect(refused(budget)).toContain(sentence);
  });

  it('is shown as it was given, a group by its id in lower case', () => {
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

describe('a collection of budgets', () => {
  it('has one budget for each scope, subject and period', () => {
    const others: Budget[] = [
      { ...alice, period: 'day' },
      { ...alice, subject_id: 'Alice' },
      { ...alice, scope: 'group', subject_id: GROUP },
    ];
    expect(faultsOf([alice, ...others])).toEqual([]);
    expect(faultsOf([alice, ...others, { ...alice, limit: 9n }])).toEqual([
      { at: 4, field: '', message: 'is for the same subject and period as budgets[0]' },
    ]);
  });

  it('gives a group one precedence, on any of its budgets', () => {
    const group = (period: Budget['period'], precedence?: number): Budget => ({
      scope: 'group',
      subject_id: GROUP,
      period,
      limit: 1n,
      precedence,
    });
    expect(faultsOf([group('day', 2), group('month'), group('year', 2)])).toEqual([]);
    expect(faultsOf([group('day'), group('month', 2), group('year', 3)])).toEqual([
      { at: 2, field: 'precedence', message: 'differs from that of the same group in budgets[1]' },
    ]);
  });
});
