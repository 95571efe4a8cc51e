/** The most fraction digits of the manager's amounts. */
const DIGITS = 9;

/** An amount such as `12.5` in nano-dollars; undefined for any other text. */
export function nanoUsd(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,30})(?:\.([0-9]{1,9}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(DIGITS, '0'));
}

/**
 * An exact amount without superfluous zeros at its end: `$12.50`, `$0.000015`. A text that is not
 * an amount stays as it is.
 */
export function dollars(text: string): string {
  if (nanoUsd(text) === undefined) return text;
  const [whole = '', fraction = ''] = text.split('.');
  return `$${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** The same for nano-dollars. */
export const formatNanoDollars = (nano: bigint): string => {
  const digits = nano.toString().padStart(DIGITS + 1, '0');
  return dollars(`${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`);
};

/** An amount for a scale: rounded to cents, and below a cent to two significant digits. */
export function roundDollars(nano: bigint): string {
  if (nano === 0n) return '$0';
  const digits = nano.toString().length;
  const kept = nano >= 10_000_000n ? 10_000_000n : 10n ** BigInt(Math.max(0, digits - 2));
  return formatNanoDollars(((nano + kept / 2n) / kept) * kept);
}
