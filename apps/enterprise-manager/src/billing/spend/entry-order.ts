import { compareBytes } from '../budgets/text-range.ts';

/**
 * What one value of a dimension comes to; the amount is a decimal text with nine fraction digits.
 */
export interface SpendEntry {
  value: string;
  used_usd: string;
}

/**
 * Entries that come by amount, the greatest first, with those of equal amounts by value. Of
 * thousands hardly any are equal.
 */
export function inOrder(entries: readonly SpendEntry[]): SpendEntry[] {
  if (entries.every(({ used_usd }, at) => used_usd !== entries[at - 1]?.used_usd)) return [...entries];
  const ordered: SpendEntry[] = [];
  for (let from = 0, to = 0; from < entries.length; from = to) {
    while (to < entries.length && entries[to]?.used_usd === entries[from]?.used_usd) to += 1;
    ordered.push(...entries.slice(from, to).sort((one, other) => compareBytes(one.value, other.value)));
  }
  return ordered;
}
