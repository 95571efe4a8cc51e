import { BUCKETS, type Usage } from '@gatehouse/money/buckets';
import { type ChargeLine, chargeLines, computeCharge } from '@gatehouse/money/charge';
import { writeDecimal } from '@gatehouse/money/decimal';
import type { Rates } from '@gatehouse/money/rates';
import { readUsd, USD_DIGITS, writeUsd } from '@gatehouse/money/usd';
import { PricesById } from './charge-audit.ts';
import type { Manager, Schemas } from './manager.ts';
import { CommandFailedError } from '../../errors/cli-error.ts';

/** One line of a charge: quantity times rate is the amount. */
export interface StatementLine {
  readonly bucket: string;
  /** Tokens or calls. */
  readonly quantity: string;
  readonly rate_usd: string;
  readonly unit: 'million tokens' | 'thousand calls';
  /** Exact. */
  readonly amount_usd: string;
}

/** A charge with its arithmetic. */
export interface ChargeStatement {
  readonly charge: Schemas['Charge'];
  readonly lines: readonly StatementLine[];
  /** The exact sum of the lines. */
  readonly sum_usd: string;
  /** The rounding, once for the whole charge: `computed_usd` minus `sum_usd`. */
  readonly rounding_usd: string;
  readonly computed_usd: string;
  /** Whether no usage was recorded and the amount is the estimate of the admission. */
  readonly is_admission_estimate: boolean;
  /** Whether the charge has another amount than its lines. */
  readonly differs: boolean;
}

/** Fraction digits of exact amounts. */
const EXACT_DIGITS = 18;
const TOOL_BUCKETS: readonly string[] = ['web_search', 'file_search', 'grounding_search'] satisfies (keyof Usage)[];

/**
 * Computes the lines of a charge by the catalog version that it names.
 * @throws CliError when the version has no price for the model
 */
export async function chargeStatement(manager: Manager, charge: Schemas['Charge']): Promise<ChargeStatement> {
  const prices = await new PricesById(manager).of(charge.pricing_catalog_id);
  const rates = prices?.find(charge.provider, charge.model);
  if (rates !== undefined) return createStatement(charge, rates);
  throw new CommandFailedError(
    `pricing_catalog_id: version ${charge.pricing_catalog_id} of the prices has no price of ${charge.provider}/${charge.model}`,
    ['gatehouse admin pricing versions'],
  );
}

/**
 * Computes the lines of a charge by the rates of its model.
 * @throws CliError for unknown counts
 */
export function createStatement(charge: Schemas['Charge'], rates: Rates): ChargeStatement {
  const usage = readUsage(charge);
  const lines = chargeLines(rates, usage);
  const sum = lines.reduce((total, { atto }) => total + atto, 0n);
  const computed = computeCharge(rates, usage);
  const charged = readUsd(charge.charged_usd);
  const isAdmissionEstimate = lines.length === 0 && charge.basis === 'estimated';
  return {
    charge,
    lines: lines.map(toStatementLine),
    sum_usd: shortened(writeDecimal(sum, EXACT_DIGITS)),
    rounding_usd: shortened(writeDecimal(computed * 10n ** BigInt(EXACT_DIGITS - USD_DIGITS) - sum, EXACT_DIGITS)),
    computed_usd: writeUsd(computed),
    is_admission_estimate: isAdmissionEstimate,
    differs: !isAdmissionEstimate && charged !== computed,
  };
}

const toStatementLine = ({ bucket, quantity, rate, atto }: ChargeLine): StatementLine => ({
  bucket,
  quantity: quantity.toString(),
  rate_usd: shortened(rate),
  unit: TOOL_BUCKETS.includes(bucket) ? 'thousand calls' : 'million tokens',
  amount_usd: shortened(writeDecimal(atto, EXACT_DIGITS)),
});

function readUsage({ usage }: Schemas['Charge']): Usage {
  const counts = Object.entries(usage).map(([name, count]) => {
    const bucket = BUCKETS.find((one) => one === name);
    if (bucket === undefined || !/^\d+$/.test(String(count)))
      throw new CommandFailedError(`usage.${name}: is not a count that this version knows`, [
        'a newer version of gatehouse',
      ]);
    return [bucket, BigInt(count)] as const;
  });
  return Object.fromEntries(counts);
}

/** Removes the zeros at the end of a decimal, except one digit after the point. */
const shortened = (text: string): string => text.replace(/(\.\d+?)0+$/, '$1');
