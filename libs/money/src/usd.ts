import { divideHalfEven, readDecimal, writeDecimal } from './decimal.ts';

/**
 * An amount of US dollars, exact: a whole number of nano-dollars (10⁻⁹ USD), the unit of charges,
 * limits and cells.
 */
export type Usd = bigint;

/** Fraction digits of an amount. */
export const USD_DIGITS = 9;

/** Digits that an amount may have before its point. */
export const USD_INTEGER_DIGITS = 12;

/**
 * Reads an amount, such as `12.5`.
 * @throws DecimalError for anything but a plain decimal of at most 12 and 9 digits
 */
export const readUsd = (text: string): Usd => readDecimal(text, { fraction: USD_DIGITS, integer: USD_INTEGER_DIGITS });

/** An amount as the API shows it, with all nine fraction digits: `0.015606200`. */
export const writeUsd = (amount: Usd): string => writeDecimal(amount, USD_DIGITS);

/**
 * 10⁻¹⁸ USD: a token at a rate of 10⁻¹² USD for a million. Sums are made in this unit, where
 * nothing is lost.
 */
export type Atto = bigint;

const ATTO_PER_UNIT = 10n ** BigInt(18 - USD_DIGITS);

/**
 * The one rounding of a charge: to nano-dollars, a half to the even one.
 * @param atto not negative
 */
export const roundToUsd = (atto: Atto): Usd => divideHalfEven(atto, ATTO_PER_UNIT);
