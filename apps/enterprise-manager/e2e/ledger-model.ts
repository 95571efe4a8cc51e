import { randomUUID } from 'node:crypto';
import type { TestManager } from './enterprise-manager.ts';

/** The usage of a vendor's answer. */
export interface Tokens {
  prompt_tokens: number;
  completion_tokens: number;
}

/** The sender's price of a model: US dollars for a million tokens. */
interface Price {
  input: string;
  output: string;
}

/** Rates with so many digits that charges are rounded. One model is free. */
export const PRICES: Record<string, Price> = {
  'model-a': { input: '2.5000005', output: '10.0000005' },
  'vendor/model-b': { input: '0.123456789012', output: '0.987654321098' },
  'model-free': { input: '0', output: '0' },
};
export const PROVIDER = 'openai';
export const UNPRICED = 'model-unknown';

/** A rational number. */
interface Rational {
  numerator: bigint;
  denominator: bigint;
}

const rational = (text: string): Rational => {
  const [whole = '', fraction = ''] = text.split('.');
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
};
const plus = (a: Rational, b: Rational): Rational => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});
const times = ({ numerator, denominator }: Rational, factor: bigint): Rational => ({
  numerator: numerator * factor,
  denominator,
});

/** Rounds to whole billionths, half to even. */
const toBillionths = ({ numerator, denominator }: Rational): bigint => {
  const scaled = numerator * 1_000_000_000n;
  const [low, twice] = [scaled / denominator, (scaled % denominator) * 2n];
  return twice > denominator || (twice === denominator && low % 2n === 1n) ? low + 1n : low;
};

/**
 * The expected charge in billionths of a dollar, in rational arithmetic that shares no code with
 * the service. Undefined for a model without a price.
 */
export function computePrice(model: string, { prompt_tokens, completion_tokens }: Tokens): bigint | undefined {
  const price = PRICES[model];
  if (price === undefined) return undefined;
  const sum = plus(
    times(rational(price.input), BigInt(prompt_tokens)),
    times(rational(price.output), BigInt(completion_tokens)),
  );
  return toBillionths({ numerator: sum.numerator, denominator: sum.denominator * 1_000_000n });
}

/** Converts an amount of the API to billionths. */
export const billionths = (text: string): bigint => {
  const { numerator, denominator } = rational(text);
  return (numerator * 1_000_000_000n) / denominator;
};

/**
 * Stores the sender's prices as a catalog of an operator.
 * @param age time since the catalog became effective, a Postgres interval
 * @returns the id of the catalog
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
