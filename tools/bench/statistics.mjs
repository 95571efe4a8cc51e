/** Returns the element at a share of the sorted list, such as 0.95; 0 for an empty list. */
export function quantile(list, share) {
  const sorted = list.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Returns the median of numbers. */
export const median = (list) => quantile(list, 0.5);

/** Returns the sum of numbers. */
export const sum = (list) => list.reduce((total, one) => total + one, 0);
