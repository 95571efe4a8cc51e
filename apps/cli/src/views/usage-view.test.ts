import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OwnUsage } from '../services/manager/usage.ts';
import { usageAsText, usageOnScreen } from './usage-view.ts';

const GROUP = '01890000-0000-7000-8000-00000000000a';
const window = { period_start: '2026-11-01T00:00:00.000Z', period_end: '2026-12-01T00:00:00.000Z' };
const cell = (more: object = {}): OwnUsage['summary']['budgets'][number] => ({
  scope: 'user',
  subject_id: 'alice',
  period: 'month',
  limit_usd: '100.000000000',
  used_usd: '27.064619929',
  remaining_usd: '72.935380071',
  reserved_usd: '0.000000000',
  ordinal: 1,
  on_default: false,
  ...window,
  ...more,
});
const usage = (cells: OwnUsage['summary']['budgets'], amounts: readonly string[]): OwnUsage => ({
  summary: { subject: 'alice', budgets: cells },
  spend: {
    granularity: 'day',
    time_zone: 'UTC',
    from: '2026-11-01',
    to: '2026-11-04',
    buckets: amounts.map((usd, at) => ({ date: `2026-11-${String(at + 1).padStart(2, '0')}`, usd })),
  },
  groups: { [GROUP]: 'Engineers' },
});
const group = cell({
  scope: 'group',
  subject_id: GROUP,
  used_usd: '90',
  remaining_usd: '10',
  reserved_usd: '1.5',
  my_contribution_usd: '12.250000000',
});
const wide = { width: 100, colours: false };

describe('own usage', () => {
  it('has a bar for each budget and a chart of the days', () => {
    const lines = usageOnScreen(usage([cell(), group], ['0.5', '0', '1']), undefined, wide);
    expect(lines.slice(0, 6)).toEqual([
      'you        month  █████▍░░░░░░░░░░░░░░   27 %',
      '                  $27.06 of $100.00, $72.94 remaining, $0.00 reserved, until 2026-12-01',
      'Engineers  month  ██████████████████░░   90 %',
      '                  $90.00 of $100.00, $12.25 of it used by you, $10.00 remaining, $1.50 reserved',
      '                  until 2026-12-01',
      '',
    ]);
    expect(lines[6]).toBe('Spent $1.50, 2026-11-01 to 2026-11-03 (UTC)');
    expect(lines).toHaveLength(6 + 1 + 10);
  });

  it('shows the time zone of its days', () => {
    const { spend, ...rest } = usage([], ['1']);
    const lines = usageOnScreen({ ...rest, spend: { ...spend, time_zone: 'Europe/Berlin' } }, undefined, wide);
    expect(lines[2]).toBe('Spent $1.00, 2026-11-01 (Europe/Berlin)');
  });

  it('reports that there is no budget and no spend', () => {
    expect(usageOnScreen(usage([], ['0', '0']), 'gpt', wide)).toEqual([
      'You have no budget.',
      '',
      'Nothing spent for gpt, 2026-11-01 to 2026-11-02 (UTC)',
    ]);
    expect(usageOnScreen(usage([], []), undefined, wide).at(-1)).toBe('Nothing spent, no day (UTC)');
    expect(usageAsText(usage([], []))).toEqual([]);
  });

  it('has colours only on request: green, yellow from 80 %, red at the limit', () => {
    const spent = (used_usd: string) => usage([cell({ used_usd })], ['1']);
    const first = (used: string, colours: boolean) => usageOnScreen(spent(used), undefined, { width: 100, colours })[0];
    expect(first('27', true)).toContain('\u001B[32m');
    expect(first('80', true)).toContain('\u001B[33m');
    expect(first('100', true)).toContain('\u001B[31m');
    expect(usageOnScreen(spent('27'), undefined, wide).join('')).not.toContain('\u001B');
  });

  it('fits every terminal of 40 columns and more', () => {
    const amounts = fc.constantFrom('0', '0.000000001', '27.5', '999999999999.999999999');
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 200 }),
        fc.array(fc.tuple(amounts, amounts, fc.boolean()), { maxLength: 4 }),
        amounts,
        (width, budgets, day) => {
          const cells = budgets.map(([used_usd, limit_usd, ofGroup]) =>
            cell({
              used_usd,
              limit_usd,
              ...(ofGroup && { scope: 'group', subject_id: 'an-id-that-has-no-name-at-all' }),
            }),
          );
          for (const line of usageOnScreen(usage(cells, [day, '0']), undefined, { width, colours: false }))
            expect([Array.from(line).length <= width, line]).toEqual([true, line]);
        },
      ),
    );
  });

  it('has an exact line for each budget and day without a terminal', () => {
    expect(usageAsText(usage([cell(), group], ['0.000000001']))).toEqual([
      'budget  you  month  used $27.064619929 of $100.00  remaining $72.935380071  reserved $0.00  until 2026-12-01',
      'budget  Engineers  month  used $90.00 of $100.00  remaining $10.00  reserved $1.50  own part $12.25  until 2026-12-01',
      'spent  2026-11-01  $0.000000001',
    ]);
  });

  it('escapes control characters of a hostile response', () => {
    const evil = '\u001B[2J';
    const hostile = usage(
      [cell({ used_usd: evil, subject_id: evil, scope: 'group', period: evil, period_end: evil })],
      [evil],
    );
    const shown = [...usageOnScreen(hostile, evil, wide), ...usageAsText(hostile)].join('');
    expect(shown).not.toContain('\u001B');
  });
});
