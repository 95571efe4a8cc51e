import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { parseJsonBody } from './json-body.ts';
import { parseStrictly } from './strict-json.ts';
import { HttpError } from '../errors/http-error.ts';

/** The value or the refusal. Another error fails the test. */
function parseOrRefuse(body: string | Buffer): { value: unknown } | { refusal: HttpError } {
  try {
    return { value: parseStrictly(typeof body === 'string' ? Buffer.from(body) : body) };
  } catch (error) {
    if (error instanceof HttpError && ['invalid', 'too_large'].includes(error.kind)) return { refusal: error };
    throw error;
  }
}

const sentenceFor = (body: string | Buffer): string => {
  const outcome = parseOrRefuse(body);
  return 'refusal' in outcome ? outcome.refusal.message : 'accepted';
};

const allowedKey = (key: string) => !['__proto__', 'constructor', 'prototype'].includes(key) && !key.includes('\0');
/** Values that JSON can express and that parseStrictly accepts. */
const { value: plainValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
    fc.array(tie('value')),
    fc.dictionary(fc.string({ unit: 'binary' }).filter(allowedKey), tie('value')),
  ),
}));

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Adds escapes and white space at random places, so that the value stays the same. */
function respelled(json: string, seed: number): string {
  let state = seed;
  const chance = () => (state = (state * 1103515245 + 12345) % 2147483648) % 3 === 0;
  return json.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => {
    if (!token.startsWith('"')) return chance() ? `${token} \n\t` : token;
    return token.replace(/\\(?:u[0-9a-f]{4}|.)|[^"\\]/gsu, (letter) =>
      letter.startsWith('\\') || !chance() ? letter : letter.split('').map(escaped).join(''),
    );
  });
}

describe('parseStrictly', () => {
  it('returns the same value as JSON.parse for every spelling', () => {
    fc.assert(
      fc.property(plainValue, fc.nat(), (value, seed) => {
        const text = respelled(JSON.stringify(value), seed);
        expect(parseOrRefuse(text)).toEqual({ value: JSON.parse(text) as unknown });
      }),
      { numRuns: 500 * effort },
    );
  });

  it('refuses arbitrary bytes with a message', () => {
    const fragment = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '\\u', '\\"', '0', '-', 'e', 'null', ' ');
    const almostJson = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.array(fragment, { maxLength: 60 }).map((parts) => Buffer.from(parts.join(''))),
      fc.tuple(fc.json(), fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
        const bytes = Buffer.from(text);
        bytes[at % bytes.length] = byte;
        return bytes;
      }),
    );
    fc.assert(
      fc.property(almostJson, (bytes) => {
        const outcome = parseOrRefuse(bytes);
        if (!('refusal' in outcome)) {
          if (bytes.length > 0) expect(outcome.value).toEqual(JSON.parse(bytes.toString()));
        } else expect(outcome.refusal.message).toMatch(/^\S.*: \w/);
      }),
      { numRuns: 2_000 * effort },
    );
  });

  it('refuses duplicate keys at any depth and in any spelling', () => {
    fc.assert(
      fc.property(
        plainValue,
        fc.string({ unit: 'grapheme', maxLength: 20 }).filter(allowedKey),
        fc.nat(),
        fc.array(fc.boolean(), { maxLength: 20 }),
        (value, key, seed, way) => {
          const [name, json] = [JSON.stringify(key), JSON.stringify(value)];
          const inner = `{${name}:1,"\u0001other":${json},${respelled(name, seed)}:${json}}`.replace('\u0001', '');
          const text = way.reduce((inside, list) => (list ? `[${inside}]` : `{"in":${inside}}`), inner);
          expect(sentenceFor(text)).toContain('is there twice in one object');
        },
      ),
    );
  });

  it.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s in any spelling', (key) => {
    for (const name of [key, key.split('').map(escaped).join('')])
      expect(sentenceFor(`{"a":[{"${name}":1}]}`)).toBe(`body: the key "${key}" is not allowed`);
    expect(parseOrRefuse(`{"a":"${key}"}`)).toEqual({ value: { a: key } });
  });

  it('accepts at most 100 levels of lists or objects', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (levels: number) => `${open.repeat(levels)}0${close.repeat(levels)}`;
      expect(sentenceFor(nested(100))).toBe('accepted');
      expect(sentenceFor(nested(101))).toBe('body: is nested deeper than 100 levels');
    }
  });

  it('names the field of NUL and half of a surrogate pair with an escaped JSON pointer', () => {
    const outcome = parseOrRefuse('{"a.b":[{"c/d~":"\\ud800"}]}');
    expect('refusal' in outcome && outcome.refusal.violations).toEqual([
      { field: '/a.b/0/c~1d~0', message: 'must not contain half of a surrogate pair' },
    ]);
    expect(sentenceFor('{"a\\u0000":1}')).toBe('body: must not contain the character NUL (U+0000)');
  });
});

describe('parseJsonBody', () => {
  const TOO_LONG = '[0]: has more than 1 MiB of JSON text';
  const numbers = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
  const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join()}}`;

  it.each<[string, string, string]>([
    ['8 MiB of brackets', '['.repeat(8 << 20), 'body: is nested deeper than 100 levels'],
    ['8 MiB of quotes', `["${'\\"'.repeat(4 << 20)}"]`, TOO_LONG],
    ['a value of 1 MiB', `["${'x'.repeat((1 << 20) - 2)}"]`, 'accepted'],
    ['a value one byte longer', `["${'x'.repeat((1 << 20) - 1)}"]`, TOO_LONG],
    ['8 MiB of backslashes', `["${'\\\\'.repeat(4 << 20)}"]`, TOO_LONG],
    ['8 MiB of backslashes without an end', `["${'\\'.repeat((8 << 20) + 1)}"`, TOO_LONG],
    ['8 MiB of blanks after a key', `{"a"${' '.repeat(8 << 20)}:1}`, 'accepted'],
    ['short strings', `[${'"",'.repeat(2 << 20)}""]`, 'body: has more than 50,000 values'],
    ['empty objects', `[${'{},'.repeat(2 << 20)}{}]`, 'body: has more than 50,000 values'],
    ['a repeated key', `{${'"a":1,'.repeat(1 << 20)}"a":1}`, 'body: has more than 50,000 values'],
    ['halves of surrogate pairs', `["${'\\ud800'.repeat(1 << 17)}"]`, '[0]: must not contain half of a surrogate pair'],
    ['the maximum number of values', numbers(49_999), 'accepted'],
    ['one value too many', numbers(50_000), 'body: has more than 50,000 values'],
    ['the maximum number of keys', members(49_999), 'accepted'],
    ['one key too many', members(50_000), 'body: has more than 50,000 values'],
  ])(
    'handles %s in linear time',
    async (_, body, sentence) => {
      const outcome = await parseJsonBody(Buffer.from(body)).then(
        () => 'accepted',
        (error: unknown) => (error as HttpError).message,
      );
      expect(outcome).toBe(sentence);
    },
    5_000,
  );

  it('answers 413 beyond a limit', async () => {
    await expect(parseJsonBody(Buffer.from(numbers(50_000)))).rejects.toMatchObject({ status: 413 });
  });

  it('applies the same rules to a large body as to a small one', async () => {
    const bytes = (text: string) => Buffer.from(`{"padding":"${'x'.repeat((1 << 20) - 2)}",${text}}`);
    await expect(parseJsonBody(bytes('"b":[1]'))).resolves.toMatchObject({ b: [1] });
    await expect(parseJsonBody(bytes('"b":{"a":1,"a":2}'))).rejects.toThrow('the key "a" is there twice');
    await expect(parseJsonBody(bytes('"b":{"constructor":1}'))).rejects.toThrow('"constructor" is not allowed');
    await expect(parseJsonBody(bytes('"b":"\\ud800"'))).rejects.toThrow('b: must not contain half');
    await expect(parseJsonBody(bytes('"b":'))).rejects.toThrow('body: is not valid JSON');
  });
});
