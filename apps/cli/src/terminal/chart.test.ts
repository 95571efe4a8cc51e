import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dollars, formatNanoDollars, nanoUsd, roundDollars } from './amounts.ts';
import { bar, chart, computePercent } from './chart.ts';

const plain = (text: string): string => text;
const usd = fc.bigInt({ min: 0n, max: 10n ** 21n });

describe('amounts', () => {
  it.each([
    ['12.500000000', '$12.50'],
    ['0.000000001', '$0.000000001'],
    ['0.000000000', '$0.00'],
    ['7', '$7.00'],
    ['1000000000000.123456789', '$1000000000000.123456789'],
    ['soon', 'soon'],
    ['-1', '-1'],
    ['', ''],
  ])('%s is shown as %s', (text, shown) => {
    expect(dollars(text)).toBe(shown);
  });

  it('are shown exactly for every size', () => {
    fc.assert(fc.property(usd, (nano) => expect(nanoUsd(formatNanoDollars(nano).slice(1))).toBe(nano)));
  });

  it.each([
    [0n, '$0'],
    [1n, '$0.000000001'],
    [123_456n, '$0.00012'],
    [9_999_999n, '$0.01'],
    [1_234_567_891n, '$1.23'],
    [99_995_000_000n, '$100.00'],
  ])('%s nano-dollars are %s on a scale', (nano, text) => {
    expect(roundDollars(nano)).toBe(text);
  });
});

describe('a bar', () => {
  it('has the requested width, is full only at the limit, and empty only at zero', () => {
    fc.assert(
      fc.property(usd, usd, fc.integer({ min: 1, max: 60 }), (used, limit, width) => {
        const text = bar(used, limit, width);
        expect(Array.from(text)).toHaveLength(width);
        expect(text === '█'.repeat(width)).toBe(used >= limit);
        expect(text === '░'.repeat(width)).toBe(used === 0n && limit > 0n);
        expect(computePercent(used, limit) >= 100).toBe(used >= limit);
        expect(computePercent(used, limit) === 0).toBe(used === 0n && limit > 0n);
      }),
    );
  });

  it.each([
    [0n, 8n, '░░░░'],
    [1n, 8n, '▌░░░'],
    [4n, 8n, '██░░'],
    [8n, 8n, '████'],
    [9n, 8n, '████'],
    [0n, 0n, '████'],
    [1n, 10n ** 18n, '▏░░░'],
  ])('of %s out of %s is %s', (used, limit, text) => {
    expect(bar(used, limit, 4)).toBe(text);
  });
});

describe('a chart', () => {
  const days = (amounts: readonly number[]) =>
    amounts.map((amount, at) => ({
      date: new Date(Date.UTC(2026, 10, 1 + at)).toISOString().slice(0, 10),
      nano: BigInt(amount) * 1_000_000_000n,
    }));

  it('has a column for each day, a scale and the first and last date', () => {
    expect(chart(days([0, 1, 4, 8]), 40, plain)).toEqual(
      [
        '$8.00 ┤         ██',
        '      │         ██',
        '      │         ██',
        '      │         ██',
        '$4.00 ┤      ██ ██',
        '      │      ██ ██',
        '      │      ██ ██',
        '      │   ██ ██ ██',
        '   $0 └────────────',
        '       11-01  11-04',
      ].map((line) => line),
    );
  });

  it('is never wider than the terminal', () => {
    const amount = fc.oneof(usd, fc.bigInt({ min: 0n, max: 30_000_000n }));
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 1, maxLength: 500 }),
        fc.integer({ min: 40, max: 100 }),
        (amounts, width) => {
          const lines = chart(
            amounts.map((nano, at) => ({ date: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10), nano })),
            width,
            plain,
          );
          for (const line of lines) expect(Array.from(line).length).toBeLessThanOrEqual(width);
          expect(lines).toHaveLength(10);
          // The scale is one straight line, also when half of the largest amount needs more digits.
          expect(new Set(lines.slice(0, 9).map((line) => line.search(/[│┤└]/))).size).toBe(1);
        },
      ),
    );
  });

  it('has a straight scale when half of the largest amount needs more digits', () => {
    const lines = chart([{ date: '2026-11-01', nano: 14_400_000n }], 40, plain);
    expect([lines[0], lines[1], lines[4], lines[8]]).toEqual([
      '  $0.01 ┤██',
      '        │██',
      '$0.0072 ┤██',
      '     $0 └───',
    ]);
  });

  it('combines days in one column when there are too many, without loss', () => {
    const many = days(Array.from({ length: 90 }, () => 1));
    const lines = chart(many, 40, plain);
    expect(lines[0]).toMatch(/^\s*\$3\.00 ┤█+$/);
    expect(lines[0]?.match(/█/g)).toHaveLength(30);
  });

  it('shows the smallest amount beside the largest', () => {
    const lines = chart([...days([1_000_000]), { date: '2026-11-02', nano: 1n }], 40, plain);
    expect(lines[7]).toMatch(/┤|│/);
    expect(lines[7]).toContain('▁');
  });
});
