import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { effort, seed } from '@gatehouse/testing/effort';
import { createHeader, deriveKeys, hasRightKeys, openSecrets, sealSecrets, strengthenHeader } from './encryption.ts';
import { type FileHeader, formatFile, parseFile } from './file-format.ts';

const cheap = (header: FileHeader): FileHeader => ({ ...header, scrypt: { n: 2, r: 1, p: 1 } });
const header = cheap(createHeader({ password_storage: 'prompt' }));
const keys = await deriveKeys(header, 'correct horse');
const wrongKeys = await deriveKeys(header, 'wrong horse');
const secrets = new Map([
  ['a', 'canary-value'],
  ['__proto__', 'x'],
]);

/** The result of opening a text: the secrets, a wrong password, or the code of an error. */
function open(text: string, from = keys): unknown {
  try {
    const file = parseFile(text, '/home/ada/encrypted.json');
    return hasRightKeys(file, from) ? openSecrets(file, from, '/home/ada/encrypted.json') : 'wrong password';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('the encrypted file', () => {
  it('gives back any secrets', () => {
    const entries = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })));
    fc.assert(
      fc.property(entries, (pairs) => {
        // Lone surrogates are no text: a value comes from UTF-8.
        const given = new Map(pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]));
        expect(open(formatFile(sealSecrets(header, keys, given)))).toEqual(given);
      }),
      { seed, numRuns: 200 * effort },
    );
  });

  it('differs after each write, and shows no name and no value', () => {
    const [one, other] = [
      formatFile(sealSecrets(header, keys, secrets)),
      formatFile(sealSecrets(header, keys, secrets)),
    ];
    expect(one).not.toBe(other);
    expect(one).not.toContain('canary');
  });

  it('tells a wrong password from damage', () => {
    const text = formatFile(sealSecrets(header, keys, secrets));
    expect(open(text, wrongKeys)).toBe('wrong password');
    expect(open('')).toBe('secrets_damaged');
    expect(open(text.replace('"sealed":"', '"sealed":"AAAA'))).toBe('secrets_damaged');
  });

  it('tells a newer version, whatever its fields are', () => {
    expect(open('{"gatehouse_secrets":2,"other":true}')).toBe('secrets_version_newer');
  });

  it('is damaged, never opened or called a wrong password, after the change of any byte', () => {
    const bytes = Buffer.from(formatFile(sealSecrets(header, keys, secrets)));
    fc.assert(
      fc.property(fc.nat(bytes.length - 2), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(at) ^ change, at);
        const result = open(changed.toString('utf8'));
        // Unused bits at the end of a base64url text do not change its bytes.
        if (result instanceof Map) expect(result).toEqual(secrets);
        else expect(['secrets_damaged', 'secrets_version_newer']).toContain(result);
      }),
      { seed, numRuns: 500 * effort },
    );
  });

  it('is damaged after the loss of its end', () => {
    const text = formatFile(sealSecrets(header, keys, secrets));
    for (let length = 0; length < text.length - 1; length += 1) {
      expect(open(text.slice(0, length))).toBe('secrets_damaged');
    }
  });

  it.each([
    { n: 2 ** 21, r: 8, p: 1 },
    { n: 2 ** 20, r: 16, p: 1 },
    { n: 3, r: 8, p: 1 },
    { n: 2 ** 15, r: 8, p: 1_000_000 },
  ])('with scrypt parameters %j is refused before any work', (scrypt) => {
    expect(open(formatFile({ header: { ...header, scrypt }, keyCheck: '', sealed: '' }))).toBe('secrets_damaged');
  });

  it('gets stronger parameters and a new salt with a write, and keeps stronger ones', () => {
    const strengthened = strengthenHeader(header);
    expect(strengthened).toMatchObject({ id: header.id, scrypt: { n: 2 ** 15, r: 8, p: 1 } });
    expect(strengthened.salt).not.toBe(header.salt);
    const strong = { ...header, scrypt: { n: 2 ** 17, r: 8, p: 1 } };
    expect(strengthenHeader(strong)).toBe(strong);
  });

  it('opens with a password that another system composes differently', async () => {
    const composed = await deriveKeys(header, 'caf\u00e9 password');
    expect(await deriveKeys(header, 'cafe\u0301 password')).toEqual(composed);
  });
});
