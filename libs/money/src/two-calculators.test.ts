import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import { readFileSync } from 'node:fs';
import { computeCharge } from './charge.ts';
import { type ToolRates, type Vendor, VENDORS, readRates } from './rates.ts';
import { type WireBlock, rationalCharge } from '@gatehouse/testing/rational-calculator';
import { readUsage } from './usage.ts';
import { writeUsd } from './usd.ts';

const USAGES = 100_000 * effort;

const RATES: Record<Vendor, readonly string[]> = {
  anthropic: ['cachedInput', 'cacheCreation5mInput', 'cacheCreation1hInput'],
  openai: ['cachedInput', 'cacheWriteInput', 'audioInput', 'reasoningOutput', 'audioOutput'],
  google: ['cachedInput', 'audioInput', 'cachedAudioInput', 'thoughtsOutput', 'audioOutput'],
};

/**
 * Local references, because in Jest most of the test's time would be spent on reading the global
 * object.
 */
const { imul, floor } = Math;
const { fromEntries } = Object;
const text = String;
const BILLION = 1_000_000_000;

/** Reproducible random numbers (mulberry32). */
class Dice {
  constructor(private state: number) {}

  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return floor(this.next() * limit);
  }

  one<T>(of: readonly T[]): T {
    return of[this.below(of.length)]!;
  }

  /** A property in two of three cases. Sometimes it is null, which counts as absent. */
  maybe<T>(name: string, value: () => T): Record<string, T | null> {
    if (this.below(3) === 0) return {};
    return { [name]: this.below(20) === 0 ? null : value() };
  }

  /** A count of tokens: zero, few, near the threshold of a tier, many, or the maximum. */
  tokens(): number {
    return this.one([
      () => 0,
      () => this.below(10),
      () => this.below(5_000),
      () => this.one([100, 1_000, 100_000, 200_000]) + this.below(5) - 2,
      () => this.below(300_000),
      () => 10_000_000_000 - this.below(2),
    ])();
  }

  /**
   * A rate in the format of a catalog, with all lengths on both sides of the point. Many rates lead
   * to half a nano-dollar.
   */
  rate(): string {
    const digits = (length: number) =>
      text(BILLION + this.below(BILLION)).slice(1, 1 + length) +
      (length > 9 ? '0'.repeat(length - 10) + text(1 + this.below(9)) : '');
    const whole = this.one([() => '0', () => text(this.below(100)), () => text(this.below(10_000_000))])();
    return this.one([
      () => whole,
      () => `${whole}.${digits(1 + this.below(12))}`,
      () => `0.00${this.one(['05', '15', '25', '1', '2'])}`,
    ])();
  }
}

function blockFor(vendor: Vendor, dice: Dice): WireBlock {
  const some = (names: readonly string[]) =>
    fromEntries(names.flatMap((name) => (dice.below(2) === 0 ? [] : [[`${name}UsdPerMillion`, dice.rate()]])));
  const tiers = [100, 1_000, 100_000, 200_000].filter(() => dice.below(3) === 0);
  return {
    inputUsdPerMillion: dice.rate(),
    outputUsdPerMillion: dice.rate(),
    ...some(RATES[vendor]),
    ...(tiers.length > 0 && {
      promptSizeTiers: tiers.map((aboveTokens) => ({
        [`${dice.one([...RATES[vendor], 'input', 'output'])}UsdPerMillion`]: dice.rate(),
        ...some(['input', 'output', ...RATES[vendor]]),
        aboveTokens,
      })),
    }),
  };
}

function toolsFor(dice: Dice): Record<string, Record<string, string | null>> {
  const rate = () => dice.rate();
  const price = (name: string) => (dice.below(2) === 0 ? {} : { [`${name}UsdPerThousand`]: rate() });
  return {
    anthropic: price('webSearch'),
    openai: { ...price('webSearch'), ...price('fileSearch') },
    google: price('groundingSearch'),
  };
}

const USAGE: Record<Vendor, (dice: Dice) => Record<string, unknown>> = {
  anthropic: (dice) => {
    const tokens = () => dice.tokens();
    const part = () => ({
      ...dice.maybe('input_tokens', tokens),
      ...dice.maybe('output_tokens', tokens),
      ...dice.maybe('cache_read_input_tokens', tokens),
      ...dice.maybe('cache_creation_input_tokens', tokens),
      ...dice.maybe('cache_creation', () => ({
        ...dice.maybe('ephemeral_5m_input_tokens', tokens),
        ...dice.maybe('ephemeral_1h_input_tokens', tokens),
      })),
    });
    const iterations = () =>
      Array.from({ length: dice.below(3) }, () => ({ ...part(), type: dice.one(['message', 'compaction']) }));
    return {
      ...part(),
      ...dice.maybe('server_tool_use', () => dice.maybe('web_search_requests', () => dice.below(30))),
      ...(dice.below(10) === 0 && { iterations: iterations() }),
    };
  },
  openai: (dice) => {
    const tokens = () => dice.tokens();
    const names = (input: string, output: string) => ({
      ...dice.maybe(`${input}_tokens`, tokens),
      ...dice.maybe(`${output}_tokens`, tokens),
      ...dice.maybe(`${input}_tokens_details`, () => ({
        ...dice.maybe('cached_tokens', tokens),
        ...dice.maybe('cache_write_tokens', tokens),
        ...dice.maybe('audio_tokens', tokens),
      })),
      ...dice.maybe(`${output}_tokens_details`, () => ({
        ...dice.maybe('reasoning_tokens', tokens),
        ...dice.maybe('audio_tokens', tokens),
      })),
    });
    const chat = names('prompt', 'completion');
    const responses = names('input', 'output');
    const calls = () => ({
      ...dice.maybe('web_search', () => dice.below(30)),
      ...dice.maybe('file_search', () => dice.below(30)),
    });
    const both = { ...chat, ...responses };
    const alike = { ...both, input_tokens: both['prompt_tokens'], output_tokens: both['completion_tokens'] };
    return { ...dice.one([chat, responses, both, alike]), ...dice.maybe('tool_calls', calls) };
  },
  google: (dice) => {
    const tokens = () => dice.tokens();
    const details = () =>
      Array.from({ length: dice.below(4) }, () => ({
        modality: dice.one(['TEXT', 'AUDIO', 'AUDIO', 'IMAGE']),
        ...dice.maybe('tokenCount', tokens),
      }));
    return {
      ...dice.maybe('promptTokenCount', tokens),
      ...dice.maybe('toolUsePromptTokenCount', tokens),
      ...dice.maybe('cachedContentTokenCount', tokens),
      ...dice.maybe('candidatesTokenCount', tokens),
      ...dice.maybe('thoughtsTokenCount', tokens),
      ...dice.maybe('promptTokensDetails', details),
      ...dice.maybe('toolUsePromptTokensDetails', details),
      ...dice.maybe('cacheTokensDetails', details),
      ...dice.maybe('candidatesTokensDetails', details),
      ...dice.maybe('tool_calls', () => dice.maybe('grounding_search', () => dice.below(30))),
    };
  },
};

function charge(vendor: Vendor, block: WireBlock, tools: unknown, raw: Record<string, unknown>): string {
  const rates = readRates(vendor, block, tools as ToolRates);
  return writeUsd(computeCharge(rates, readUsage(vendor, raw) ?? {}));
}

describe('two calculators', () => {
  it('agree to the last digit on 100,000 random usages of all vendors, at random rates', () => {
    const dice = new Dice(seed);
    const seen = { zero: 0, tiered: 0, large: 0 };
    for (let run = 0; run < USAGES; run += 1) {
      const vendor = dice.one(VENDORS);
      const [block, tools, raw] = [blockFor(vendor, dice), toolsFor(dice), USAGE[vendor](dice)];
      const [ours, theirs] = [charge(vendor, block, tools, raw), rationalCharge(vendor, block, tools, raw)];
      if (ours !== theirs)
        throw new Error(
          `seed ${seed}, run ${run}: ${ours} by computeCharge, ${theirs} by rationalCharge\n${JSON.stringify({ vendor, block, tools, raw })}`,
        );
      if (ours === '0.000000000') seen.zero += 1;
      if (block.promptSizeTiers !== undefined) seen.tiered += 1;
      if (ours.length > 15) seen.large += 1;
    }
    // The random usages are meaningful: few are zero, and many reach a tier.
    expect(seen.zero).toBeLessThan(USAGES / 4);
    expect(seen.tiered).toBeGreaterThan(USAGES / 2);
    expect(seen.large).toBeGreaterThan(USAGES / 10);
  }, 120_000);

  it('agree on the price vectors, which are independent of both', () => {
    const { vectors } = JSON.parse(readFileSync(new URL('price-vectors.json', import.meta.url), 'utf8')) as {
      vectors: { vendor: Vendor; rates: WireBlock; raw_usage: Record<string, unknown>; charged_usd: string }[];
    };
    for (const { vendor, rates, raw_usage, charged_usd } of vectors)
      expect(rationalCharge(vendor, rates, {}, raw_usage)).toBe(charged_usd);
  });
});
