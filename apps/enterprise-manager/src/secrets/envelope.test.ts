import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { openValue, rewrapValue, SealBroken, type SealedValue, sealValue } from './envelope.ts';

const one = { version: 1, key: randomBytes(32) };
const two = { version: 2, key: randomBytes(32) };
const WHERE = 'managed_secret:1:1';

const flipped = (buffer: Buffer, at: number): Buffer => {
  const copy = Buffer.from(buffer);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};
const isBroken = (sealed: SealedValue, where = WHERE, key = one) => {
  expect(() => openValue(key, sealed, where)).toThrow(SealBroken);
  expect(() => rewrapValue(key, two, sealed, where)).toThrow(SealBroken);
};

describe('a sealed value', () => {
  it('opens in its place, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (value, context) => {
        const sealed = sealValue(one, value, context);
        expect(new Uint8Array(openValue(one, sealed, context))).toEqual(value);
        const rewrapped = rewrapValue(one, two, sealed, context);
        expect(new Uint8Array(openValue(two, rewrapped, context))).toEqual(value);
        expect(rewrapped.ciphertext).toEqual(sealed.ciphertext);
      }),
    );
  });

  it('has a data key and nonces of its own every time', () => {
    const sealed = Array.from({ length: 200 }, () => sealValue(one, Buffer.from('same'), WHERE));
    for (const part of [
      (value: SealedValue) => value.wrapped_key.subarray(0, 12),
      (value: SealedValue) => value.ciphertext.subarray(0, 12),
      (value: SealedValue) => value.ciphertext.subarray(12, 16),
    ])
      expect(new Set(sealed.map((value) => part(value).toString('hex'))).size).toBeGreaterThan(195);
    expect(sealed.map(({ wrapped_key, ciphertext }) => [wrapped_key.length, ciphertext.length])).toEqual(
      sealed.map(() => [60, 32]),
    );
  });

  it('does not open when any single byte of it is another one', () => {
    const sealed = sealValue(one, Buffer.from('a value'), WHERE);
    for (let at = 0; at < sealed.wrapped_key.length; at += 1)
      isBroken({ ...sealed, wrapped_key: flipped(sealed.wrapped_key, at) });
    for (let at = 0; at < sealed.ciphertext.length; at += 1)
      isBroken({ ...sealed, ciphertext: flipped(sealed.ciphertext, at) });
  });

  it('does not open when it is cut short or made longer', () => {
    const sealed = sealValue(one, Buffer.from('a value'), WHERE);
    for (const length of [0, 1, 27, 28, sealed.ciphertext.length - 1])
      isBroken({ ...sealed, ciphertext: sealed.ciphertext.subarray(0, length) });
    for (const length of [0, 11, 28, 59]) isBroken({ ...sealed, wrapped_key: sealed.wrapped_key.subarray(0, length) });
    isBroken({ ...sealed, ciphertext: Buffer.concat([sealed.ciphertext, Buffer.alloc(1)]) });
    isBroken({ ...sealed, wrapped_key: Buffer.concat([sealed.wrapped_key, Buffer.alloc(1)]) });
  });

  it('does not open in another place, with parts of another value, or under another key or version', () => {
    const [mine, other] = [sealValue(one, Buffer.from('mine'), WHERE), sealValue(one, Buffer.from('other'), WHERE)];
    isBroken(mine, 'managed_secret:1:2');
    isBroken(mine, '');
    isBroken({ ...mine, wrapped_key: other.wrapped_key });
    isBroken({ ...mine, ciphertext: other.ciphertext });
    isBroken(mine, WHERE, two);
    isBroken({ ...mine, key_version: 2 });
    isBroken({ ...mine, key_version: 2 }, WHERE, { version: 2, key: one.key });
  });

  it('names the place and nothing else when it does not open', () => {
    const sealed = sealValue(one, Buffer.from('canary'), WHERE);
    try {
      openValue(one, { ...sealed, ciphertext: flipped(sealed.ciphertext, 13) }, WHERE);
      throw new Error('it opened');
    } catch (error) {
      expect(error).toBeInstanceOf(SealBroken);
      expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/canar|"key"/);
    }
  });
});
