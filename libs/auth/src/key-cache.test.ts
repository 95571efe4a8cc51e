import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeyCache, type CacheEntry } from './key-cache.ts';

const LIMITS = { entries: 3, bytes: 100, unusable: 2 };
const createEntry = (keyId: string, more: Partial<CacheEntry<string>> = {}): CacheEntry<string> => ({
  value: `answer of ${keyId}`,
  keyId,
  usableUntilMs: Infinity,
  bytes: 1,
  ...more,
});

describe('KeyCache', () => {
  it('returns usable and unusable secrets, and undefined on a miss', () => {
    const cache = new KeyCache<string>(LIMITS);
    cache.set('h1', createEntry('k1'));
    cache.setUnusable('h2');
    expect([cache.get('h1', 0), cache.get('h2', 0), cache.get('h3', 0)]).toEqual([
      'answer of k1',
      'unusable',
      undefined,
    ]);
  });

  it('expires a secret at its exact millisecond', () => {
    const cache = new KeyCache<string>(LIMITS);
    cache.set('h1', createEntry('k1', { usableUntilMs: 1_000 }));
    expect([cache.get('h1', 999), cache.get('h1', 1_000)]).toEqual(['answer of k1', 'unusable']);
  });

  it('invalidates both secrets of a changed key and all unusable secrets', () => {
    const cache = new KeyCache<string>(LIMITS);
    cache.set('new', createEntry('k1'));
    cache.set('old', createEntry('k1'));
    cache.set('other', createEntry('k2'));
    cache.setUnusable('later');
    cache.invalidate(['k1', 'unknown']);
    expect(['new', 'old', 'other', 'later'].map((hash) => cache.get(hash, 0))).toEqual([
      undefined,
      undefined,
      'answer of k2',
      undefined,
    ]);
    cache.clear();
    expect(cache.size).toEqual({ usable: 0, unusable: 0 });
  });

  it('evicts the least recently used key', () => {
    const cache = new KeyCache<string>(LIMITS);
    for (const name of ['1', '2', '3']) cache.set(`h${name}`, createEntry(`k${name}`));
    cache.get('h1', 0);
    cache.set('h4', createEntry('k4'));
    expect(['h1', 'h2', 'h3', 'h4'].map((hash) => cache.get(hash, 0) !== undefined)).toEqual([true, false, true, true]);
  });

  it('evicts no key for unusable secrets', () => {
    const cache = new KeyCache<string>(LIMITS);
    cache.set('h1', createEntry('k1'));
    for (let n = 0; n < 10_000; n += 1) cache.setUnusable(`invented ${n}`);
    expect([cache.get('h1', 0), cache.size]).toEqual(['answer of k1', { usable: 1, unusable: 2 }]);
  });

  it('drops an entry that is too large, together with the entry that it replaces', () => {
    const cache = new KeyCache<string>(LIMITS);
    cache.set('h1', createEntry('k1'));
    cache.set('h1', createEntry('k1', { bytes: 101 }));
    expect([cache.get('h1', 0), cache.size.usable]).toEqual([undefined, 0]);
  });

  it('stays within its limits and never returns an invalidated key, for any sequence of calls', () => {
    const hash = fc.integer({ min: 0, max: 7 }).map((n) => `h${n}`);
    const keyId = fc.integer({ min: 0, max: 4 }).map((n) => `k${n}`);
    const step = fc.oneof(
      fc.record({
        type: fc.constant('set' as const),
        hash,
        keyId,
        bytes: fc.integer({ min: 1, max: 60 }),
      }),
      fc.record({ type: fc.constant('unusable' as const), hash }),
      fc.record({ type: fc.constant('get' as const), hash }),
      fc.record({ type: fc.constant('invalidate' as const), keyId }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = new KeyCache<string>(LIMITS);
        const expected = new Map<string, { keyId: string; bytes: number } | 'unusable'>();
        for (const one of steps) {
          if (one.type === 'set') {
            expected.set(one.hash, one);
            cache.set(one.hash, createEntry(one.keyId, { bytes: one.bytes }));
          } else if (one.type === 'unusable') {
            expected.set(one.hash, 'unusable');
            cache.setUnusable(one.hash);
          } else if (one.type === 'invalidate') {
            for (const [name, known] of expected)
              if (known === 'unusable' || known.keyId === one.keyId) expected.delete(name);
            cache.invalidate([one.keyId]);
          }
          let bytes = 0;
          for (let n = 0; n < 8; n += 1) {
            const known = expected.get(`h${n}`);
            const found = one.type === 'get' && one.hash !== `h${n}` ? undefined : cache.get(`h${n}`, 0);
            if (found === undefined) continue;
            expect(found).toBe(known === 'unusable' || known === undefined ? known : `answer of ${known.keyId}`);
            if (known !== 'unusable') bytes += known?.bytes ?? 0;
          }
          expect(bytes).toBeLessThanOrEqual(LIMITS.bytes);
          expect(cache.size.usable).toBeLessThanOrEqual(LIMITS.entries);
          expect(cache.size.unusable).toBeLessThanOrEqual(LIMITS.unusable);
        }
      }),
    );
  });
});
