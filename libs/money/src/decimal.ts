import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * The reason why a text is not a valid decimal. The message completes a sentence that begins with
 * the field's name.
 */
export class DecimalError extends GatehouseError {
  override readonly code = 'invalid_decimal';
}

/** The most digits after the point and before it. */
export interface DecimalDigits {
  fraction: number;
  integer: number;
}

/**
 * Reads a decimal such as `12.5` into units of its last permitted digit: with 9 fraction digits,
 * 12500000000. It accepts plain ASCII digits: no sign, exponent, space or superfluous leading zero,
 * and digits on both sides of a point.
 * @throws DecimalError
 */
export function readDecimal(text: string, digits: DecimalDigits): bigint {
  const parts = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  if (parts === null) throw new DecimalError('must be a decimal such as "12.50", without sign or exponent');
  const [, whole = '', fraction = ''] = parts;
  if (whole.length > digits.integer)
    throw new DecimalError(`must have at most ${digits.integer} digits before its point`);
  if (fraction.length > digits.fraction)
    throw new DecimalError(`must have at most ${digits.fraction} digits after its point`);
  return BigInt(whole + fraction.padEnd(digits.fraction, '0'));
}

/**
 * Writes units of the last of `fraction` (at least 1) digits as a decimal with all digits. It is
 * the inverse of `readDecimal`, and also accepts negative differences.
 */
export function writeDecimal(units: bigint, fraction: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(fraction + 1, '0');
  return `${units < 0n ? '-' : ''}${text.slice(0, -fraction)}.${text.slice(-fraction)}`;
}

/**
 * `numerator / denominator`, rounded to the nearest whole number, half to even. Neither may be
 * negative.
 */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}
