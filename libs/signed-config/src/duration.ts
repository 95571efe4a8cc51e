const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000 };
const DURATION = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/;

/**
 * Reads a duration of whole hours, minutes and seconds in this order: `72h`, `1h30m`, `5m`, `0s`.
 * @returns milliseconds; undefined for anything else
 */
export function parseDuration(text: string): number | undefined {
  const match = text === '' ? null : DURATION.exec(text);
  if (!match) return undefined;
  return ['h', 'm', 's'].reduce((sum, unit, at) => sum + Number(match[at + 1] ?? 0) * (UNITS_MS[unit] ?? 0), 0);
}

/** Formats milliseconds as a duration in whole seconds. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ];
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join('') || '0s';
}
