import { describe, expect, it } from '@jest/globals';
import { CredentialCache } from './credential-cache.ts';

/** A cache with a clock, and a provider that counts its requests. */
function createScene(lifetimeMs: number | null = 300_000) {
  let time = 1_000_000;
  let issued = 0;
  const cache = new CredentialCache<string>(() => time);
  const obtain = () => {
    issued += 1;
    const expiresAt = lifetimeMs === null ? undefined : time + lifetimeMs;
    return Promise.resolve({ value: `token-${issued}`, expiresAt, skewMs: 60_000 });
  };
  return { cache, obtain, countIssued: () => issued, advance: (ms: number) => (time += ms) };
}

describe('CredentialCache', () => {
  it('makes one request for concurrent callers', async () => {
    const { cache, obtain, countIssued } = createScene();
    const all = await Promise.all(Array.from({ length: 100 }, () => cache.get('k', obtain)));
    expect(new Set(all).size).toBe(1);
    expect(countIssued()).toBe(1);
    await cache.get('other', obtain);
    expect(countIssued()).toBe(2);
  });

  it.each([
    ['the skew before its expiry', 300_000, 240_000],
    ['half of a short lifetime', 30_000, 15_000],
    ['five minutes without a lifetime', null, 300_000],
    ['at once when it has expired', -5, 1],
  ])('renews a credential: %s', async (_, lifetimeMs, usedMs) => {
    const { cache, obtain, countIssued, advance } = createScene(lifetimeMs);
    await cache.get('k', obtain);
    advance(usedMs - 1);
    await cache.get('k', obtain);
    expect(countIssued()).toBe(1);
    advance(2);
    await cache.get('k', obtain);
    expect(countIssued()).toBe(2);
  });

  it('renews a refused credential once for concurrent callers', async () => {
    const { cache, obtain, countIssued } = createScene();
    const refused = await cache.get('k', obtain);
    const all = await Promise.all(Array.from({ length: 100 }, () => cache.get('k', obtain, refused)));
    expect(new Set(all.map(({ value }) => value))).toEqual(new Set(['token-2']));
    expect((await cache.get('k', obtain, refused)).value).toBe('token-2');
    expect(countIssued()).toBe(2);
  });

  it('does not renew a renewed credential again and again', async () => {
    const { cache, obtain, countIssued, advance } = createScene();
    const second = await cache.get('k', obtain, await cache.get('k', obtain));
    expect(await cache.get('k', obtain, second)).toBe(second);
    advance(10_001);
    expect((await cache.get('k', obtain, second)).value).toBe('token-3');
    expect(countIssued()).toBe(3);
  });

  it('keeps a failure for two seconds', async () => {
    const { cache, obtain, countIssued, advance } = createScene();
    let failures = 0;
    const fail = () => {
      failures += 1;
      return Promise.reject(new Error('refused'));
    };
    for (let at = 0; at < 3; at += 1) await expect(cache.get('k', fail)).rejects.toThrow('refused');
    expect(failures).toBe(1);
    advance(2_001);
    expect((await cache.get('k', obtain)).value).toBe('token-1');
    expect(countIssued()).toBe(1);
  });
});
