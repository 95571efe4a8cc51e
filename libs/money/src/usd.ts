import { divideHalfEven, readDecimal, writeDecimal } from './decimal.ts';

/**
 * An amount of US dollars, exact: a whole number of nano-dollars (10⁻⁹ USD), the unit of charges,
 * limits and cells.
 */
export type Usd = bigint;

/** Fraction digits of an amount. */
export const USD_DIGITS = 9;

/** The most digits of an amount before its point. */
export const USD_INTEGER_DIGITS = 12;

/**
 * Reads an amount, such as `12.5`.
 * @throws DecimalError unless it is a plain decimal with at most 12 digits before and 9 after the
 * point
 */
export const readUsd = (text: string): Usd => readDecimal(text, { fraction: USD_DIGITS, integer: USD_INTEGER_DIGITS });

/** Writes an amount in the format of the API, with all nine fraction digits: `0.015606200`. */
export const writeUsd = (amount: Usd): string => writeDecimal(amount, USD_DIGITS);

/**
 * A unit of 10⁻¹⁸ USD: the cost of a token at a rate of 10⁻¹² USD for a million. Sums in this unit
 * are exact.
 */
export type Atto = bigint;

const ATTO_PER_UNIT = 10n ** BigInt(18 - USD_DIGITS);

/**
 * Rounds a charge once to nano-dollars, half to even.
 * @param atto not negative
 */
export const roundToUsd = (atto: Atto): Usd => divideHalfEven(atto, ATTO_PER_UNIT);
