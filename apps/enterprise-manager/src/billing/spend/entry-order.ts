import { compareBytes } from '../budgets/text-range.ts';

/**
 * The amount of one value of a dimension, as a decimal text with nine fraction digits.
 */
export interface SpendEntry {
  value: string;
  used_usd: string;
}

/**
 * Sorts entries with equal amounts by value. The entries are already in descending order of
 * amounts; equal amounts are rare.
 */
export function sortEqualAmounts(entries: readonly SpendEntry[]): SpendEntry[] {
  if (entries.every(({ used_usd }, at) => used_usd !== entries[at - 1]?.used_usd)) return [...entries];
  const ordered: SpendEntry[] = [];
  for (let from = 0, to = 0; from < entries.length; from = to) {
    while (to < entries.length && entries[to]?.used_usd === entries[from]?.used_usd) to += 1;
    ordered.push(...entries.slice(from, to).sort((one, other) => compareBytes(one.value, other.value)));
  }
  return ordered;
}
