import { describe, expect, it } from '@jest/globals';
import { importJWK, type JWK } from 'jose';
import { createKeyPair, importPrivateKey } from './key-pair.ts';
import { toJwk, ACTIVATION_DELAY_MS, getShownUntil, getActivationDelayMs } from './signing-key.ts';

const HOUR = 3_600_000;
const now = new Date('2026-11-20T12:00:00.000Z');
const addToActivation = (milliseconds: number) => new Date(now.getTime() + milliseconds + ACTIVATION_DELAY_MS);

describe('signing keys', () => {
  it('can sign after two maximum ages of the key set', () => {
    expect(ACTIVATION_DELAY_MS).toBe(600_000);
    const createKeyBefore = (milliseconds: number) => ({
      created_at: new Date(now.getTime() - milliseconds).toISOString(),
    });
    expect(getActivationDelayMs(createKeyBefore(0), now)).toBe(600_000);
    expect(getActivationDelayMs(createKeyBefore(599_999), now)).toBe(1);
    expect(getActivationDelayMs(createKeyBefore(600_000), now)).toBe(0);
    expect(getActivationDelayMs(createKeyBefore(HOUR), now)).toBe(0);
  });

  it('are in the key set until everything that they may have signed has expired', () => {
    const last = { lifetimeMs: 24 * HOUR, graceMs: HOUR, lastEnd: null };
    expect(getShownUntil(now, last)).toEqual(addToActivation(24 * HOUR));
    expect(getShownUntil(now, { ...last, graceMs: 72 * HOUR })).toEqual(addToActivation(72 * HOUR));
    const lastEnd = new Date(now.getTime() + 100 * HOUR).toISOString();
    expect(getShownUntil(now, { ...last, lastEnd })).toEqual(addToActivation(100 * HOUR));
  });

  it('are published without the private key, which cannot be exported', async () => {
    const { kid, x, y, privateJwk } = await createKeyPair();
    const { d } = JSON.parse(Buffer.from(privateJwk).toString()) as JWK;
    expect(d).toMatch(/^[\w-]{43}$/);
    const published = toJwk({ kid, x, y });
    expect(JSON.stringify(published)).not.toContain(d);
    await expect(importJWK(published, 'ES256')).resolves.toBeDefined();
    const key = await importPrivateKey(privateJwk);
    await expect(crypto.subtle.exportKey('jwk', key)).rejects.toThrow();
  });
});
