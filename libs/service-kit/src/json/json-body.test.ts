import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { parseJsonBody } from './json-body.ts';
import { parseStrictly } from './strict-json.ts';
import { HttpError } from '../errors/http-error.ts';

/** The value, or the sentence of the refusal. Everything else that is thrown fails the test. */
function outcomeOf(body: string | Buffer): { value: unknown } | { refusal: HttpError } {
  try {
    return { value: parseStrictly(typeof body === 'string' ? Buffer.from(body) : body) };
  } catch (error) {
    if (error instanceof HttpError && ['invalid', 'too_large'].includes(error.kind)) return { refusal: error };
    throw error;
  }
}

const sentenceFor = (body: string | Buffer): string => {
  const outcome = outcomeOf(body);
  return 'refusal' in outcome ? outcome.refusal.message : 'taken';
};

const allowedKey = (key: string) => !['__proto__', 'constructor', 'prototype'].includes(key) && !key.includes('\0');
/** Values that JSON can say and this house takes. */
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

/**
 * Spells a string in escapes where `choices` says so, and puts white space between tokens: the same
 * value in other bytes.
 */
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

describe('a JSON body', () => {
  it('gives what JSON.parse gives, for every value and spelling', () => {
    fc.assert(
      fc.property(plainValue, fc.nat(), (value, seed) => {
        const text = respelled(JSON.stringify(value), seed);
        expect(outcomeOf(text)).toEqual({ value: JSON.parse(text) as unknown });
      }),
      { numRuns: 500 * effort },
    );
  });

  it('is refused in a sentence, whatever bytes it has', () => {
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
        const outcome = outcomeOf(bytes);
        if (!('refusal' in outcome)) {
          if (bytes.length > 0) expect(outcome.value).toEqual(JSON.parse(bytes.toString()));
        } else expect(outcome.refusal.message).toMatch(/^\S.*: \w/);
      }),
      { numRuns: 2_000 * effort },
    );
  });

  it('is refused with a key twice, wherever it lies and however it is spelled', () => {
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

  it.each(['__proto__', 'constructor', 'prototype'])('is refused with the key %s in any spelling', (key) => {
    for (const name of [key, key.split('').map(escaped).join('')])
      expect(sentenceFor(`{"a":[{"${name}":1}]}`)).toBe(`body: the key "${key}" is not allowed`);
    expect(outcomeOf(`{"a":"${key}"}`)).toEqual({ value: { a: key } });
  });

  it('may be 100 levels deep and no deeper, lists or objects', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (levels: number) => `${open.repeat(levels)}0${close.repeat(levels)}`;
      expect(sentenceFor(nested(100))).toBe('taken');
      expect(sentenceFor(nested(101))).toBe('body: is nested deeper than 100 levels');
    }
  });

  it('names the place of a character that no database holds, with a pointer that survives any field name', () => {
    const outcome = outcomeOf('{"a.b":[{"c/d~":"\\ud800"}]}');
    expect('refusal' in outcome && outcome.refusal.violations).toEqual([
      { field: '/a.b/0/c~1d~0', message: 'must not contain half of a surrogate pair' },
    ]);
    expect(sentenceFor('{"a\\u0000":1}')).toBe('body: must not contain the character NUL (U+0000)');
  });

  const TOO_LONG = '[0]: has more than 1 MiB of JSON text';
  const numbers = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
  const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join()}}`;

  it.each<[string, string, string]>([
    ['brackets alone', '['.repeat(8 << 20), 'body: is nested deeper than 100 levels'],
    ['quotes', `["${'\\"'.repeat(4 << 20)}"]`, TOO_LONG],
    ['a value of 1 MiB', `["${'x'.repeat((1 << 20) - 2)}"]`, 'taken'],
    ['a value one byte longer', `["${'x'.repeat((1 << 20) - 1)}"]`, TOO_LONG],
    ['backslashes', `["${'\\\\'.repeat(4 << 20)}"]`, TOO_LONG],
    ['backslashes without an end', `["${'\\'.repeat((8 << 20) + 1)}"`, TOO_LONG],
    ['blanks after every key', `{"a"${' '.repeat(8 << 20)}:1}`, 'taken'],
    ['short strings', `[${'"",'.repeat(2 << 20)}""]`, 'body: has more than 50,000 values'],
    ['empty objects', `[${'{},'.repeat(2 << 20)}{}]`, 'body: has more than 50,000 values'],
    ['one key again and again', `{${'"a":1,'.repeat(1 << 20)}"a":1}`, 'body: has more than 50,000 values'],
    ['half pairs', `["${'\\ud800'.repeat(1 << 17)}"]`, '[0]: must not contain half of a surrogate pair'],
    ['as many values as may be', numbers(49_999), 'taken'],
    ['one value too many', numbers(50_000), 'body: has more than 50,000 values'],
    ['as many keys as may be', members(49_999), 'taken'],
    ['one key too many', members(50_000), 'body: has more than 50,000 values'],
  ])(
    'of 8 MiB of %s is read once and within the limits',
    async (_, body, sentence) => {
      const outcome = await parseJsonBody(Buffer.from(body)).then(
        () => 'taken',
        (error: unknown) => (error as HttpError).message,
      );
      expect(outcome).toBe(sentence);
    },
    5_000,
  );

  it('beyond a limit is 413', async () => {
    await expect(parseJsonBody(Buffer.from(numbers(50_000)))).rejects.toMatchObject({ status: 413 });
  });

  it('that is large means the same as one that is small', async () => {
    const bytes = (text: string) => Buffer.from(`{"padding":"${'x'.repeat((1 << 20) - 2)}",${text}}`);
    await expect(parseJsonBody(bytes('"b":[1]'))).resolves.toMatchObject({ b: [1] });
    await expect(parseJsonBody(bytes('"b":{"a":1,"a":2}'))).rejects.toThrow('the key "a" is there twice');
    await expect(parseJsonBody(bytes('"b":{"constructor":1}'))).rejects.toThrow('"constructor" is not allowed');
    await expect(parseJsonBody(bytes('"b":"\\ud800"'))).rejects.toThrow('b: must not contain half');
    await expect(parseJsonBody(bytes('"b":'))).rejects.toThrow('body: is not valid JSON');
  });
});
