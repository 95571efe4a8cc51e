import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeyCache, type Remembered } from './key-cache.ts';

const LIMITS = { entries: 3, weight: 100, unusable: 2 };
const key = (keyId: string, more: Partial<Remembered<string>> = {}): Remembered<string> => ({
  answer: `answer of ${keyId}`,
  keyId,
  usableUntil: Infinity,
  weight: 1,
  ...more,
});

describe('the memory of keys', () => {
  it('knows what it was told, and nothing else', () => {
    const cache = new KeyCache<string>(LIMITS);
    cache.remember('h1', key('k1'));
    cache.rememberUnusable('h2');
    expect([cache.get('h1', 0), cache.get('h2', 0), cache.get('h3', 0)]).toEqual([
      'answer of k1',
      'unusable',
      undefined,
    ]);
  });

  it('lets a secret end by itself, to the millisecond', () => {
    const cache = new KeyCache<string>(LIMITS);
    cache.remember('h1', key('k1', { usableUntil: 1_000 }));
    expect([cache.get('h1', 999), cache.get('h1', 1_000)]).toEqual(['answer of k1', 'unusable']);
  });

  it('forgets both secrets of a changed key, and that others opened nothing', () => {
    const cache = new KeyCache<string>(LIMITS);
    cache.remember('new', key('k1'));
    cache.remember('old', key('k1'));
    cache.remember('other', key('k2'));
    cache.rememberUnusable('later');
    cache.forget(['k1', 'unknown']);
    expect(['new', 'old', 'other', 'later'].map((hash) => cache.get(hash, 0))).toEqual([
      undefined,
      undefined,
      'answer of k2',
      undefined,
    ]);
    cache.clear();
    expect(cache.size).toEqual({ usable: 0, unusable: 0 });
  });

  it('lets the key go that was not asked for the longest', () => {
    const cache = new KeyCache<string>(LIMITS);
    for (const name of ['1', '2', '3']) cache.remember(`h${name}`, key(`k${name}`));
    cache.get('h1', 0);
    cache.remember('h4', key('k4'));
    expect(['h1', 'h2', 'h3', 'h4'].map((hash) => cache.get(hash, 0) !== undefined)).toEqual([true, false, true, true]);
  });

  it('lets no invented secret push out a key', () => {
    const cache = new KeyCache<string>(LIMITS);
    cache.remember('h1', key('k1'));
    for (let n = 0; n < 10_000; n += 1) cache.rememberUnusable(`invented ${n}`);
    expect([cache.get('h1', 0), cache.size]).toEqual(['answer of k1', { usable: 1, unusable: 2 }]);
  });

  it('does not take what is too large, nor keep what it replaces', () => {
    const cache = new KeyCache<string>(LIMITS);
    cache.remember('h1', key('k1'));
    cache.remember('h1', key('k1', { weight: 101 }));
    expect([cache.get('h1', 0), cache.size.usable]).toEqual([undefined, 0]);
  });

  it('stays within its bounds, and never remembers what it was told to forget, whatever happens', () => {
    const hash = fc.integer({ min: 0, max: 7 }).map((n) => `h${n}`);
    const keyId = fc.integer({ min: 0, max: 4 }).map((n) => `k${n}`);
    const step = fc.oneof(
      fc.record({
        how: fc.constant('remember' as const),
        hash,
        keyId,
        weight: fc.integer({ min: 1, max: 60 }),
      }),
      fc.record({ how: fc.constant('unusable' as const), hash }),
      fc.record({ how: fc.constant('get' as const), hash }),
      fc.record({ how: fc.constant('forget' as const), keyId }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = new KeyCache<string>(LIMITS);
        const told = new Map<string, { keyId: string; weight: number } | 'unusable'>();
        for (const one of steps) {
          if (one.how === 'remember') {
            told.set(one.hash, one);
            cache.remember(one.hash, key(one.keyId, { weight: one.weight }));
          } else if (one.how === 'unusable') {
            told.set(one.hash, 'unusable');
            cache.rememberUnusable(one.hash);
          } else if (one.how === 'forget') {
            for (const [name, known] of told) if (known === 'unusable' || known.keyId === one.keyId) told.delete(name);
            cache.forget([one.keyId]);
          }
          let weight = 0;
          for (let n = 0; n < 8; n += 1) {
            const known = told.get(`h${n}`);
            const found = one.how === 'get' && one.hash !== `h${n}` ? undefined : cache.get(`h${n}`, 0);
            if (found === undefined) continue;
            expect(found).toBe(known === 'unusable' || known === undefined ? known : `answer of ${known.keyId}`);
            if (known !== 'unusable') weight += known?.weight ?? 0;
          }
          expect(weight).toBeLessThanOrEqual(LIMITS.weight);
          expect(cache.size.usable).toBeLessThanOrEqual(LIMITS.entries);
          expect(cache.size.unusable).toBeLessThanOrEqual(LIMITS.unusable);
        }
      }),
    );
  });
});
