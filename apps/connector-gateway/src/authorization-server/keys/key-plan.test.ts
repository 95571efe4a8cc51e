import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { effort, seed } from '@gatehouse/testing/effort';
import { KEPT_MS, type PlannedKey, planKeys, PUBLISHED_FIRST_MS, SIGNING_MS } from './key-plan.ts';

const START = Date.UTC(2026, 0, 1);

/** Applies a plan, as the repository does. */
function apply(keys: readonly PlannedKey[], now: number): PlannedKey[] {
  const { missing, expired } = planKeys(keys, now);
  const added = missing.map((activatesAt) => ({ id: `key ${activatesAt}`, activatesAt }));
  return [...keys.filter((key) => !expired.includes(key)), ...added];
}

describe('planKeys', () => {
  it('creates a key that signs at once and the next one', () => {
    expect(planKeys([], START).missing).toEqual([START, START + SIGNING_MS]);
  });

  it('signs with the latest active key and publishes the next and the previous ones', () => {
    const keys = [-SIGNING_MS, 0, SIGNING_MS].map((at) => ({ id: String(at), activatesAt: START + at }));
    expect(planKeys(keys, START + 1).published.map(({ id }) => id)).toEqual([
      '0',
      String(SIGNING_MS),
      String(-SIGNING_MS),
    ]);
  });

  it('creates no second first key for a replica whose clock is behind', () => {
    const keys = apply([], START);
    expect(planKeys(keys, START - 5_000)).toMatchObject({ missing: [], published: keys });
  });

  it('removes a key a day after its last signature', () => {
    const keys = [0, SIGNING_MS, 2 * SIGNING_MS].map((at) => ({ id: String(at), activatesAt: START + at }));
    expect(planKeys(keys, START + SIGNING_MS + KEPT_MS - 1).expired).toEqual([]);
    expect(planKeys(keys, START + SIGNING_MS + KEPT_MS).expired).toEqual([keys[0]]);
  });

  it('never signs with a key that was published for less than an hour, except the first one', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 2 * SIGNING_MS }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(pauses, (waits) => {
        let now = START;
        let keys: PlannedKey[] = [];
        const publishedSince = new Map<string, number>();
        for (const wait of waits) {
          now += wait;
          keys = apply(keys, now);
          const { published, missing } = planKeys(keys, now);
          expect(missing).toEqual([]);
          for (const { id } of published) if (!publishedSince.has(id)) publishedSince.set(id, now);
          const [signing] = published;
          const since = publishedSince.get(signing?.id ?? '') ?? now;
          expect(signing?.activatesAt).toBeLessThanOrEqual(now);
          if (signing?.activatesAt !== START + (waits[0] ?? 0))
            expect(now - since).toBeGreaterThanOrEqual(PUBLISHED_FIRST_MS);
        }
      }),
      { numRuns: 200 * effort, seed },
    );
  });
});
