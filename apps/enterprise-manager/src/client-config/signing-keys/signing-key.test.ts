import { describe, expect, it } from '@jest/globals';
import { importJWK, type JWK } from 'jose';
import { makePair, privateKeyOf } from './key-pair.ts';
import { jwkOf, SHOWN_BEFORE_SIGNING_MS, shownUntil, untilItMaySign } from './signing-key.ts';

const HOUR = 3_600_000;
const now = new Date('2026-11-20T12:00:00.000Z');
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds + SHOWN_BEFORE_SIGNING_MS);

describe('a signing key', () => {
  it('may sign when it was shown for twice the age of a key set', () => {
    expect(SHOWN_BEFORE_SIGNING_MS).toBe(600_000);
    const shownFor = (milliseconds: number) => ({ created_at: new Date(now.getTime() - milliseconds).toISOString() });
    expect(untilItMaySign(shownFor(0), now)).toBe(600_000);
    expect(untilItMaySign(shownFor(599_999), now)).toBe(1);
    expect(untilItMaySign(shownFor(600_000), now)).toBe(0);
    expect(untilItMaySign(shownFor(HOUR), now)).toBe(0);
  });

  it('is shown until all that it can have signed is over', () => {
    const last = { lifetimeMs: 24 * HOUR, graceMs: HOUR, lastEnd: null };
    expect(shownUntil(now, last)).toEqual(after(24 * HOUR));
    expect(shownUntil(now, { ...last, graceMs: 72 * HOUR })).toEqual(after(72 * HOUR));
    const lastEnd = new Date(now.getTime() + 100 * HOUR).toISOString();
    expect(shownUntil(now, { ...last, lastEnd })).toEqual(after(100 * HOUR));
  });

  it('is shown without its private half, which cannot be exported', async () => {
    const { kid, x, y, privateJwk } = await makePair();
    const { d } = JSON.parse(Buffer.from(privateJwk).toString()) as JWK;
    expect(d).toMatch(/^[\w-]{43}$/);
    const shown = jwkOf({ kid, x, y });
    expect(JSON.stringify(shown)).not.toContain(d);
    await expect(importJWK(shown, 'ES256')).resolves.toBeDefined();
    const key = await privateKeyOf(privateJwk);
    await expect(crypto.subtle.exportKey('jwk', key)).rejects.toThrow();
  });
});
