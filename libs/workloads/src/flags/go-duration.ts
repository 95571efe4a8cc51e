const NANOSECONDS_BY_UNIT: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Maximum duration in Go: 2^63 - 1 ns, about 292 years. */
const MAX_NANOSECONDS = 2n ** 63n - 1n;
const DURATION_PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

/**
 * Parses a duration in the syntax of Go's `time.ParseDuration`: `30s`, `1m30s`, `1.5h`, `-2s`, `0`.
 * @returns milliseconds with fractions, or undefined when the text is not a duration.
 */
export function parseGoDuration(text: string): number | undefined {
  const negative = text.startsWith('-');
  const body = /^[+-]/.test(text) ? text.slice(1) : text;
  if (body === '0') return 0;
  if (body === '') return undefined;
  let total = 0n;
  DURATION_PART.lastIndex = 0;
  while (DURATION_PART.lastIndex < body.length) {
    const match = DURATION_PART.exec(body);
    if (!match) return undefined;
    const [, whole = '', fraction = '', unit = ''] = match;
    if (whole === '' && fraction === '') return undefined;
    const size = NANOSECONDS_BY_UNIT[unit] ?? 0n;
    total += BigInt(whole === '' ? '0' : whole) * size;
    const digits = fraction.slice(0, 18);
    if (digits !== '') total += (BigInt(digits) * size) / 10n ** BigInt(digits.length);
    if (total > MAX_NANOSECONDS) return undefined;
  }
  const milliseconds = Number(total) / 1e6;
  return negative ? -milliseconds : milliseconds;
}

/** Formats milliseconds as Go does: `1h0m0s`, `2m30s`, `1.5s`, `200ms`, `0s`. */
export function formatGoDuration(milliseconds: number): string {
  const sign = milliseconds < 0 ? '-' : '';
  const rest = Math.abs(milliseconds);
  if (rest === 0) return '0s';
  if (rest < 1000) return `${sign}${rest}ms`;
  const hours = Math.floor(rest / 3_600_000);
  const minutes = Math.floor((rest % 3_600_000) / 60_000);
  const seconds = (rest % 60_000) / 1000;
  return sign + (hours > 0 ? `${hours}h` : '') + (hours > 0 || minutes > 0 ? `${minutes}m` : '') + `${seconds}s`;
}
