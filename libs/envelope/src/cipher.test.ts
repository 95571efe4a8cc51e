import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { EnvelopeCipher, MissingKeyError } from './cipher.ts';

const keys = [1, 2, 3].map((version) => ({ version, key: randomBytes(32) }));
const createCipher = (...versions: number[]) => {
  const cipher = new EnvelopeCipher();
  cipher.setKeys(new Map(keys.filter(({ version }) => versions.includes(version)).map((key) => [key.version, key])));
  return cipher;
};

describe('EnvelopeCipher', () => {
  it('seals with the highest version and opens with every configured version', () => {
    const cipher = createCipher(2, 1);
    const old = createCipher(1).seal(Buffer.from('old'), 'row:1');
    const recent = cipher.seal(Buffer.from('recent'), 'row:2');
    expect([cipher.versions, cipher.currentVersion, recent.key_version]).toEqual([[1, 2], 2, 2]);
    expect(String(cipher.open(old, 'row:1'))).toBe('old');
    expect(String(cipher.open(recent, 'row:2'))).toBe('recent');
  });

  it('rewraps a value with the current version', () => {
    const rewrapped = createCipher(1, 3).rewrap(createCipher(1).seal(Buffer.from('value'), 'row:1'), 'row:1');
    expect(rewrapped.key_version).toBe(3);
    expect(String(createCipher(3).open(rewrapped, 'row:1'))).toBe('value');
  });

  it('reports the version that a value needs when it is not configured', () => {
    const sealed = createCipher(2).seal(Buffer.from('value'), 'row:1');
    expect(() => createCipher(1).open(sealed, 'row:1')).toThrow(new MissingKeyError(2));
    expect(() => createCipher(1).rewrap(sealed, 'row:1')).toThrow(new MissingKeyError(2));
  });

  it('refuses to seal without a key', () => {
    const cipher = new EnvelopeCipher();
    expect(cipher.hasKey).toBe(false);
    expect(() => cipher.requireKey()).toThrow(MissingKeyError);
    expect(() => cipher.seal(Buffer.from('value'), 'row:1')).toThrow(new MissingKeyError(undefined));
  });
});
