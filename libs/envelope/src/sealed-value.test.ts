import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { openValue, rewrapValue, DecryptionError, type SealedValue, sealValue } from './sealed-value.ts';

const one = { version: 1, key: randomBytes(32) };
const two = { version: 2, key: randomBytes(32) };
const CONTEXT = 'managed_secret:1:1';

const flipBit = (buffer: Buffer, at: number): Buffer => {
  const copy = Buffer.from(buffer);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};
const expectDecryptionError = (sealed: SealedValue, context = CONTEXT, key = one) => {
  expect(() => openValue(key, sealed, context)).toThrow(DecryptionError);
  expect(() => rewrapValue(key, two, sealed, context)).toThrow(DecryptionError);
};

describe('openValue', () => {
  it('returns every value that was sealed in the same context, also after rewrapping', () => {
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

  it('needs a data key and nonces that differ for each seal', () => {
    const sealed = Array.from({ length: 200 }, () => sealValue(one, Buffer.from('same'), CONTEXT));
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

  it('refuses a value with a changed bit in any byte', () => {
    const sealed = sealValue(one, Buffer.from('a value'), CONTEXT);
    for (let at = 0; at < sealed.wrapped_key.length; at += 1)
      expectDecryptionError({ ...sealed, wrapped_key: flipBit(sealed.wrapped_key, at) });
    for (let at = 0; at < sealed.ciphertext.length; at += 1)
      expectDecryptionError({ ...sealed, ciphertext: flipBit(sealed.ciphertext, at) });
  });

  it('refuses a value that is shorter or longer than the sealed one', () => {
    const sealed = sealValue(one, Buffer.from('a value'), CONTEXT);
    for (const length of [0, 1, 27, 28, sealed.ciphertext.length - 1])
      expectDecryptionError({ ...sealed, ciphertext: sealed.ciphertext.subarray(0, length) });
    for (const length of [0, 11, 28, 59])
      expectDecryptionError({ ...sealed, wrapped_key: sealed.wrapped_key.subarray(0, length) });
    expectDecryptionError({ ...sealed, ciphertext: Buffer.concat([sealed.ciphertext, Buffer.alloc(1)]) });
    expectDecryptionError({ ...sealed, wrapped_key: Buffer.concat([sealed.wrapped_key, Buffer.alloc(1)]) });
  });

  it('refuses another context, parts of another value, another key and another version', () => {
    const [mine, other] = [sealValue(one, Buffer.from('mine'), CONTEXT), sealValue(one, Buffer.from('other'), CONTEXT)];
    expectDecryptionError(mine, 'managed_secret:1:2');
    expectDecryptionError(mine, '');
    expectDecryptionError({ ...mine, wrapped_key: other.wrapped_key });
    expectDecryptionError({ ...mine, ciphertext: other.ciphertext });
    expectDecryptionError(mine, CONTEXT, two);
    expectDecryptionError({ ...mine, key_version: 2 });
    expectDecryptionError({ ...mine, key_version: 2 }, CONTEXT, { version: 2, key: one.key });
  });

  it('names only the context in its error', () => {
    const sealed = sealValue(one, Buffer.from('canary'), CONTEXT);
    try {
      openValue(one, { ...sealed, ciphertext: flipBit(sealed.ciphertext, 13) }, CONTEXT);
      throw new Error('the value was opened');
    } catch (error) {
      expect(error).toBeInstanceOf(DecryptionError);
      expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/canar|"key"/);
    }
  });
});
