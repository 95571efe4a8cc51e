import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { decryptBytes, encryptBytes } from './aes-gcm.ts';

const key = randomBytes(32);

describe('decryptBytes', () => {
  it('returns the encrypted bytes', () => {
    expect(decryptBytes(key, encryptBytes(key, Buffer.from('text'), 'row 1'), 'row 1')?.toString()).toBe('text');
  });

  it('returns undefined for another key, another binding, a changed byte and a short input', () => {
    const encrypted = encryptBytes(key, Buffer.from('text'), 'row 1');
    const changed = Buffer.from(encrypted);
    changed.writeUInt8(changed.readUInt8(14) ^ 1, 14);
    expect([
      decryptBytes(randomBytes(32), encrypted, 'row 1'),
      decryptBytes(key, encrypted, 'row 2'),
      decryptBytes(key, changed, 'row 1'),
      decryptBytes(key, encrypted.subarray(0, 27), 'row 1'),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
