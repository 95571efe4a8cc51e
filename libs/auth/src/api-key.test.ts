import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import {
  API_KEY_PATTERN,
  hashApiKey,
  getApiKeyPrefix,
  generateApiKey,
  parseApiKey,
  areHashesEqual,
} from './api-key.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const keys = fc.tuple(bytes(5), bytes(32)).map(([id, secret]) => generateApiKey((n) => (n === 5 ? id : secret)));

describe('generateApiKey and parseApiKey', () => {
  it('generate the same text from the same random bytes', () => {
    expect(generateApiKey((n) => new Uint8Array(n))).toEqual({
      id: 'aaaaaaaa',
      text: `gh_aaaaaaaa_${'0'.repeat(43)}41fvAa`,
    });
    expect(generateApiKey((n) => new Uint8Array(n).fill(255)).id).toBe('77777777');
  });

  it('recognize every generated key and return its id', () => {
    fc.assert(
      fc.property(keys, ({ id, text }) => {
        expect(text).toMatch(API_KEY_PATTERN);
        expect(text.startsWith(`${getApiKeyPrefix(id)}_`)).toBe(true);
        expect(parseApiKey(text)).toEqual({ id });
      }),
    );
  });

  it('generate different texts from different random bytes', () => {
    fc.assert(
      fc.property(bytes(32), bytes(32), (one, other) => {
        const make = (secret: Uint8Array) => generateApiKey(() => secret, 'abcdefgh').text;
        expect(make(one) === make(other)).toBe(Buffer.compare(one, other) === 0);
      }),
    );
  });

  it('keep the id of a key with a new secret', () => {
    const first = generateApiKey(randomBytes);
    const second = generateApiKey(randomBytes, first.id);
    expect([second.id, second.text === first.text]).toEqual([first.id, false]);
  });

  it('refuse a key with one character changed, removed or added', () => {
    fc.assert(
      fc.property(
        keys,
        fc.nat(60),
        fc.constantFrom('0', 'a', 'Z', '_', '-', '7', ' ', 'é', '\0'),
        fc.nat(2),
        ({ text }, at, character, how) => {
          const changed = [
            `${text.slice(0, at)}${character}${text.slice(at + 1)}`,
            `${text.slice(0, at)}${text.slice(at + 1)}`,
            `${text.slice(0, at)}${character}${text.slice(at)}`,
          ][how];
          if (changed !== text) expect(parseApiKey(changed ?? '')).toBeUndefined();
        },
      ),
      { numRuns: 2_000 * effort },
    );
  });

  it.each(['', 'gh_', `gh_aaaaaaaa_${'0'.repeat(49)}`, 'Bearer x', `gh_AAAAAAAA_${'0'.repeat(49)}`])(
    'refuse %p',
    (text) => {
      expect(parseApiKey(text)).toBeUndefined();
    },
  );

  it('refuse a key with a line break at its end', () => {
    expect(parseApiKey(`${generateApiKey(randomBytes).text}\n`)).toBeUndefined();
  });

  it('refuse a text of 10 MB', () => {
    expect(parseApiKey(`gh_aaaaaaaa_${'0'.repeat(10_000_000)}`)).toBeUndefined();
  });
});

describe('hashApiKey and areHashesEqual', () => {
  it('use the SHA-256 of the whole text', () => {
    expect(hashApiKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('compare all bytes, and the length', () => {
    const hash = hashApiKey('abc');
    expect(areHashesEqual(hash, hashApiKey('abc'))).toBe(true);
    expect(areHashesEqual(hash, hashApiKey('abd'))).toBe(false);
    expect(areHashesEqual(hash, hash.subarray(1))).toBe(false);
  });
});
