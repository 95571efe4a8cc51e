import { randomUUID } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';

/** What a vendor would report. */
export interface Tokens {
  prompt_tokens: number;
  completion_tokens: number;
}

/** A model's price in the sender's own books: US dollars for a million tokens. */
interface Price {
  input: string;
  output: string;
}

/**
 * Rates with so many digits that charges have to be rounded; one model costs nothing, and `unknown`
 * has no price.
 */
export const PRICES: Record<string, Price> = {
  'model-a': { input: '2.5000005', output: '10.0000005' },
  'vendor/model-b': { input: '0.123456789012', output: '0.987654321098' },
  'model-free': { input: '0', output: '0' },
};
export const PROVIDER = 'openai';
export const UNPRICED = 'model-unknown';

/** A rational number. */
interface Rational {
  over: bigint;
  under: bigint;
}

const rational = (text: string): Rational => {
  const [whole = '', fraction = ''] = text.split('.');
  return { over: BigInt(whole + fraction), under: 10n ** BigInt(fraction.length) };
};
const plus = (a: Rational, b: Rational): Rational => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});
const times = (a: Rational, factor: bigint): Rational => ({ over: a.over * factor, under: a.under });

/** To whole billionths, halves to even. */
const rounded = ({ over, under }: Rational): bigint => {
  const scaled = over * 1_000_000_000n;
  const [low, twice] = [scaled / under, (scaled % under) * 2n];
  return twice > under || (twice === under && low % 2n === 1n) ? low + 1n : low;
};

/**
 * What the sender expects to pay, in billionths of a dollar: in rational arithmetic that shares
 * nothing with the service. Undefined for a model without a price.
 */
export function priceOf(model: string, { prompt_tokens, completion_tokens }: Tokens): bigint | undefined {
  const price = PRICES[model];
  if (price === undefined) return undefined;
  const sum = plus(
    times(rational(price.input), BigInt(prompt_tokens)),
    times(rational(price.output), BigInt(completion_tokens)),
  );
  return rounded({ over: sum.over, under: sum.under * 1_000_000n });
}

/** An amount as the service writes it, in billionths. */
export const billionths = (text: string): bigint => {
  const { over, under } = rational(text);
  return (over * 1_000_000_000n) / under;
};

/**
 * Puts the sender's prices into effect, as an operator's catalog of some time ago.
 * @param age a Postgres interval.
 * @returns its id
 */
export async function publishPrices(
  { sql }: Pick<TestManager, 'sql'>,
  models: readonly string[] = Object.keys(PRICES),
  age = '2 years',
): Promise<string> {
  const entries = models.map((model) => ({
    ...{ provider: PROVIDER, model },
    openai: { inputUsdPerMillion: PRICES[model]!.input, outputUsdPerMillion: PRICES[model]!.output },
  }));
  const id = randomUUID();
  await sql(
    `INSERT INTO pricing_catalogs (id, effective_from, source, provider_aliases, spec, created_at)
     VALUES ($1, now() - $3::interval, 'operator', '{}', $2, now())`,
    [id, JSON.stringify({ entries }), age],
  );
  return id;
}
