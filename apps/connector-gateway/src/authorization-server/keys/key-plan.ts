/** A signing key and the time from which it signs, in milliseconds since the epoch. */
export interface PlannedKey {
  id: string;
  activatesAt: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Time for which one key signs. */
export const SIGNING_MS = 30 * DAY_MS;

/** Shortest time between the publication of a key and its first signature. */
export const PUBLISHED_FIRST_MS = HOUR_MS;

/** Time for which a key is published after its last signature: longer than any token lives. */
export const KEPT_MS = DAY_MS;

/** The changes that make the keys complete, and the order of the published keys. */
export interface KeyPlan<Key extends PlannedKey> {
  /** Activation times of the missing keys: the first one, and the next one. */
  missing: readonly number[];
  /** Keys that verify nothing any more. */
  expired: readonly Key[];
  /** The current key, then the next and the previous ones; the first one signs. */
  published: readonly Key[];
}

/**
 * Plans the signing keys: one signs, the next one is published already, and the previous ones stay
 * published until every token that they signed has expired.
 */
export function planKeys<Key extends PlannedKey>(keys: readonly Key[], now: number): KeyPlan<Key> {
  const sorted = keys.toSorted((one, other) => one.activatesAt - other.activatesAt);
  // The clock of the replica that created the first key may be ahead of this one.
  const current = sorted.findLast(({ activatesAt }) => activatesAt <= now) ?? sorted[0];
  const at = current === undefined ? 0 : sorted.indexOf(current);
  const next = sorted.slice(at + 1);
  const expired = sorted.slice(0, at).filter((_key, index) => (sorted[index + 1]?.activatesAt ?? now) + KEPT_MS <= now);
  const previous = sorted.slice(0, at).filter((key) => !expired.includes(key));
  const currentSince = current?.activatesAt ?? now;
  return {
    missing: [
      ...(current === undefined ? [now] : []),
      ...(next.length === 0 ? [Math.max(currentSince + SIGNING_MS, now + PUBLISHED_FIRST_MS)] : []),
    ],
    expired,
    published: [...(current === undefined ? [] : [current]), ...next, ...previous],
  };
}
