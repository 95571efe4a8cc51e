/**
 * A second calculator of charges, to verify the first one. It follows the text of the specification
 * and the rules of the price vectors, and shares no code with the first: it uses fractions of whole
 * numbers instead of fixed units, and no buckets.
 */

/**
 * A local reference, because in Jest most of the test's time would be spent on reading the global
 * object.
 */
const big = BigInt;

type Json = Readonly<Record<string, unknown>>;
type Rates = Readonly<Record<string, string | undefined>>;

/** A catalog entry in its wire format. */
export interface WireBlock extends Json {
  readonly promptSizeTiers?: readonly (Json & { readonly aboveTokens: number })[];
}

class Fraction {
  constructor(
    readonly top: bigint,
    readonly bottom: bigint,
  ) {}

  static of(decimal: string): Fraction {
    const point = decimal.indexOf('.');
    if (point === -1) return new Fraction(big(decimal), 1n);
    return new Fraction(big(decimal.replace('.', '')), 10n ** big(decimal.length - point - 1));
  }

  /** Both denominators are powers of ten, so the larger one is a multiple of the other. */
  plus(other: Fraction): Fraction {
    if (other.bottom > this.bottom) return other.plus(this);
    return new Fraction(this.top + other.top * (this.bottom / other.bottom), this.bottom);
  }

  times(count: bigint, per: bigint): Fraction {
    return new Fraction(this.top * count, this.bottom * per);
  }

  /** Rounds to nine digits, half to even. */
  toNineDigits(): string {
    const scaled = this.top * 1_000_000_000n;
    const below = scaled / this.bottom;
    const [toBelow, toAbove] = [scaled - below * this.bottom, (below + 1n) * this.bottom - scaled];
    const nearest =
      toBelow === toAbove ? (below % 2n === 0n ? below : below + 1n) : toBelow < toAbove ? below : below + 1n;
    const digits = `000000000${nearest}`;
    const whole = digits.slice(0, -9).replace(/^0+(?=[0-9])/, '');
    return `${whole}.${digits.slice(-9)}`;
  }
}

const get = (json: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((at, name) => (at === null || at === undefined ? undefined : (at as Json)[name]), json);
const count = (json: unknown, ...path: string[]): bigint => big((get(json, ...path) as number | null | undefined) ?? 0);
const least = (one: bigint, other: bigint) => (one < other ? one : other);
const audioIn = (json: Json, list: string): bigint =>
  ((json[list] ?? []) as { modality: string; tokenCount?: number }[])
    .filter((item) => item.modality === 'AUDIO')
    .reduce((sum, item) => sum + big(item.tokenCount ?? 0), 0n);

/** The charge in the format of the API. */
export function rationalCharge(vendor: string, block: WireBlock, tools: Json, raw: Json): string {
  const calculate = { anthropic: anthropicParts, openai: openaiParts, google: googleParts }[vendor];
  if (calculate === undefined) throw new Error(vendor);
  const { prompt, tokens, calls } = calculate(raw);
  let rates: Rates = block as unknown as Rates;
  let highest = -1;
  for (const tier of block.promptSizeTiers ?? [])
    if (prompt > big(tier.aboveTokens) && tier.aboveTokens > highest) {
      highest = tier.aboveTokens;
      rates = { ...(block as unknown as Rates), ...(tier as unknown as Rates) };
    }
  let sum = new Fraction(0n, 1n);
  for (const [quantity, ...names] of tokens) {
    const rate = names.map((name) => rates[`${name}UsdPerMillion`]).find((one) => one !== undefined);
    sum = sum.plus(Fraction.of(rate ?? '').times(quantity, 1_000_000n));
  }
  for (const [quantity, name] of calls) {
    const rate = get(tools, vendor, `${name}UsdPerThousand`) as string | undefined;
    if (rate !== undefined) sum = sum.plus(Fraction.of(rate).times(quantity, 1_000n));
  }
  return sum.toNineDigits();
}

interface Parts {
  prompt: bigint;
  /** Each count with its rate and the fallbacks of the rate. */
  tokens: [bigint, ...string[]][];
  calls: [bigint, string][];
}

/**
 * Cache read and cache creation are not part of input. Without the split, cache creation has the
 * lifetime of five minutes.
 */
function anthropicParts(raw: Json): Parts {
  const compactions = ((raw.iterations ?? []) as Json[]).filter((one) => one.type === 'compaction');
  const tokens: Parts['tokens'] = [];
  let prompt = 0n;
  for (const one of [raw, ...compactions]) {
    const short = count(one, 'cache_creation', 'ephemeral_5m_input_tokens');
    const long = count(one, 'cache_creation', 'ephemeral_1h_input_tokens');
    const total =
      one.cache_creation_input_tokens === undefined || one.cache_creation_input_tokens === null
        ? short + long
        : count(one, 'cache_creation_input_tokens');
    const hour = least(long, total - least(short, total));
    const [input, read] = [count(one, 'input_tokens'), count(one, 'cache_read_input_tokens')];
    prompt += input + read + total;
    tokens.push(
      [input, 'input'],
      [read, 'cachedInput', 'input'],
      [total - hour, 'cacheCreation5mInput', 'input'],
      [hour, 'cacheCreation1hInput', 'cacheCreation5mInput', 'input'],
      [count(one, 'output_tokens'), 'output'],
    );
  }
  return { prompt, tokens, calls: [[count(raw, 'server_tool_use', 'web_search_requests'), 'webSearch']] };
}

/**
 * Cached, cache-write and audio tokens are subsets of the prompt; reasoning and audio are subsets
 * of the completion. They are clamped in this order.
 */
function openaiParts(raw: Json): Parts {
  const responses = count(raw, 'input_tokens') + count(raw, 'output_tokens');
  const chat = count(raw, 'prompt_tokens') + count(raw, 'completion_tokens');
  const [into, out] = responses > chat ? ['input', 'output'] : ['prompt', 'completion'];
  // Equal totals do not show which set has more details.
  const part = (sides: string[], name: string) =>
    sides.map((side) => count(raw, `${side}_tokens_details`, name)).reduce((a, b) => (a < b ? b : a));
  const [inputs, outputs] =
    responses === chat
      ? [
          ['prompt', 'input'],
          ['completion', 'output'],
        ]
      : [[into], [out]];
  const prompt = count(raw, `${into}_tokens`);
  const read = least(part(inputs, 'cached_tokens'), prompt);
  const written = least(part(inputs, 'cache_write_tokens'), prompt - read);
  const heard = least(part(inputs, 'audio_tokens'), prompt - read - written);
  const completion = count(raw, `${out}_tokens`);
  const thought = least(part(outputs, 'reasoning_tokens'), completion);
  const spoken = least(part(outputs, 'audio_tokens'), completion - thought);
  return {
    prompt,
    tokens: [
      [prompt - read - written - heard, 'input'],
      [read, 'cachedInput', 'input'],
      [written, 'cacheWriteInput', 'input'],
      [heard, 'audioInput', 'input'],
      [completion - thought - spoken, 'output'],
      [thought, 'reasoningOutput', 'output'],
      [spoken, 'audioOutput', 'output'],
    ],
    calls: [
      [count(raw, 'tool_calls', 'web_search'), 'webSearch'],
      [count(raw, 'tool_calls', 'file_search'), 'fileSearch'],
    ],
  };
}

/**
 * Cached is a subset of prompt plus tool-use prompt. Thoughts are not part of candidates. The
 * modality details give the audio counts, cached audio first.
 */
function googleParts(raw: Json): Parts {
  const prompt = count(raw, 'promptTokenCount') + count(raw, 'toolUsePromptTokenCount');
  const cached = least(count(raw, 'cachedContentTokenCount'), prompt);
  const cachedAudio = least(audioIn(raw, 'cacheTokensDetails'), cached);
  const allAudio = audioIn(raw, 'promptTokensDetails') + audioIn(raw, 'toolUsePromptTokensDetails');
  const freshAudio = least(allAudio > cachedAudio ? allAudio - cachedAudio : 0n, prompt - cached);
  const candidates = count(raw, 'candidatesTokenCount');
  const spoken = least(audioIn(raw, 'candidatesTokensDetails'), candidates);
  return {
    prompt,
    tokens: [
      [prompt - cached - freshAudio, 'input'],
      [cached - cachedAudio, 'cachedInput', 'input'],
      [cachedAudio, 'cachedAudioInput', 'cachedInput', 'audioInput', 'input'],
      [freshAudio, 'audioInput', 'input'],
      [candidates - spoken, 'output'],
      [count(raw, 'thoughtsTokenCount'), 'thoughtsOutput', 'output'],
      [spoken, 'audioOutput', 'output'],
    ],
    calls: [[count(raw, 'tool_calls', 'grounding_search'), 'groundingSearch']],
  };
}
