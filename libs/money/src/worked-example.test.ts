import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { promptTokens } from './buckets.ts';
import { chargeLines, computeCharge, getRate } from './charge.ts';
import { computeEstimate } from './estimate.ts';
import { type RateBlock, type Vendor, readRates } from './rates.ts';
import { readUsage } from './usage.ts';
import { readUsd, writeUsd } from './usd.ts';

interface Example {
  vendor: Vendor;
  rates: RateBlock;
  tools: Record<string, string>;
  estimate?: { prompt_tokens: number; max_output_tokens: number };
  raw_usage: Record<string, unknown>;
}

const page = readFileSync(new URL('../../../docs/money.md', import.meta.url), 'utf8');

/** The rows of a table in Markdown, without its head. */
const readTable = (text: string, head: RegExp): string[][] => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => head.test(line));
  if (start === -1) throw new Error(`no table with ${String(head)}`);
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll(/[`*]/g, '').trim()),
  );
};

/**
 * The sums of a text, such as `1,203 + 4,000 = 5,203`, in units of 10⁻¹⁸: the terms and the stated
 * result.
 */
const findSums = (text: string) =>
  [...text.matchAll(/((?:[0-9][0-9,.]* \+ )+[0-9][0-9,.]*) = ([0-9][0-9,.]*[0-9])/g)].map(
    ([, terms = '', sum = '']) => ({
      terms: terms.split(' + ').map((term) => atto(term.replaceAll(',', ''))),
      sum: atto(sum.replaceAll(',', '')),
    }),
  );

/** Each example of its section, with the table that follows it. */
const [, worked = ''] = /\n## Worked example\n(.*?)\n## /s.exec(page) ?? [];
const examples = [...worked.matchAll(/```json\n(.*?)\n```\n(.*?)(?=\n##|$)/gs)].map(([, json = '', rest = '']) => {
  const example = JSON.parse(json) as Example;
  const rates = readRates(example.vendor, example.rates, { [example.vendor]: example.tools });
  return {
    ...example,
    rates,
    usage: readUsage(example.vendor, example.raw_usage)!,
    rest,
    table: readTable(rest, /^\| Bucket/),
  };
});

/** An exact amount, in units of 10⁻¹⁸ USD. */
const atto = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
};

describe('the rates of docs/money.md', () => {
  it.each(readTable(page, /^\| Bucket +\| Rate, then its fallbacks/))(
    'of %s have the documented fallbacks',
    (bucket, cell) => {
      const names = cell.match(/[a-z][A-Za-z0-9]*(?=,|$| \()/g)!;
      expect(names.length).toBeGreaterThan(1);
      for (const [at, name] of names.entries()) {
        const left = names.slice(at).map((one, place) => [`${one}UsdPerMillion`, BigInt(at + place)]);
        expect([name, getRate(Object.fromEntries(left) as object, bucket as 'output')]).toEqual([name, BigInt(at)]);
      }
    },
  );
});

describe('the worked example of docs/money.md', () => {
  it('has one request for each of the three vendors', () => {
    expect(examples.map(({ vendor }) => vendor)).toEqual(['anthropic', 'openai', 'google']);
  });

  it.each(examples.map((example) => [example.vendor, example] as const))(
    'of %s has the lines of its charge',
    (_, { rates, usage, table }) => {
      const lines = chargeLines(rates, usage).map(({ bucket, quantity, rate, atto: exact }) => [
        bucket,
        String(quantity),
        atto(rate),
        exact,
      ]);
      expect(
        table.slice(0, -2).map(([bucket, quantity, rate, exact]) => [bucket, quantity, atto(rate!), atto(exact!)]),
      ).toEqual(lines);
    },
  );

  it.each(examples.map((example) => [example.vendor, example] as const))(
    'of %s has the correct sum and charge',
    (_, { rates, usage, table }) => {
      const [sum, charged] = table.slice(-2);
      const total = chargeLines(rates, usage).reduce((all, line) => all + line.atto, 0n);
      expect([sum![0], atto(sum![3]!)]).toEqual(['exact sum', total]);
      expect([charged![0], charged![3]]).toEqual(['charged', writeUsd(computeCharge(rates, usage))]);
    },
  );

  it('has correct sums of the whole prompt and of the reservation in its text', () => {
    const sums = findSums(worked);
    for (const { terms, sum } of sums) expect(terms.reduce((all, term) => all + term, 0n)).toBe(sum);
    const [cached, estimated] = [examples[0]!, examples.find(({ estimate }) => estimate !== undefined)!];
    const { prompt_tokens, max_output_tokens } = estimated.estimate!;
    const size = { promptTokens: BigInt(prompt_tokens), maxOutputTokens: BigInt(max_output_tokens) };
    expect(sums.map(({ sum }) => sum)).toEqual([
      promptTokens(cached.usage) * 10n ** 18n,
      computeEstimate(estimated.rates, size) * 10n ** 9n,
    ]);
  });

  it('shows the documented rounding, half to even', () => {
    const [, exact = '', rounded = ''] = /half to the even digit: ([0-9.]+) becomes ([0-9.]+)\./.exec(page)!;
    const { rates, usage, table } = examples.find(({ vendor }) => vendor === 'google')!;
    expect(table.at(-2)![3]).toBe(exact);
    expect(writeUsd(computeCharge(rates, usage))).toBe(rounded);
    expect(atto(exact) % 10n ** 9n).toBe(5n * 10n ** 8n);
  });

  it('has correct amounts of the cell with the overrun of the reservation', () => {
    const { rates, usage, estimate, rest } = examples.find((example) => example.estimate !== undefined)!;
    const reserved = computeEstimate(rates, {
      promptTokens: BigInt(estimate!.prompt_tokens),
      maxOutputTokens: BigInt(estimate!.max_output_tokens),
    });
    const charged = computeCharge(rates, usage);
    const cell = Object.fromEntries(readTable(rest, /^\| The month/).map(([name, ...amounts]) => [name, amounts]));
    const [before, during, after] = [0, 1, 2].map((at) =>
      Object.fromEntries(['limit', 'used', 'reserved', 'remaining'].map((name) => [name, readUsd(cell[name]![at])])),
    );
    expect(during).toEqual({ ...before, reserved: before!.reserved! + reserved });
    expect(during!.used! + during!.reserved! <= during!.limit!).toBe(true);
    expect(after).toEqual({ ...before, used: before!.used! + charged, reserved: before!.reserved, remaining: 0n });
    expect(before!.remaining).toBe(before!.limit! - before!.used!);
    expect(cell.overrun![2]).toBe(writeUsd(charged - reserved));
  });
});
