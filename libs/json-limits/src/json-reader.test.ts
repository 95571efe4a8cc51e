import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { JsonReader, JsonSyntaxError } from './json-reader.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Parses a text by walking it down to a depth, and by JSON.parse below. */
function walked(text: string, depth: number): unknown {
  const bytes = encode(text);
  const reader = new JsonReader(bytes);
  const read = (left: number): unknown => {
    if (left > 0 && reader.isObject) {
      const members: [string, unknown][] = [];
      for (const key of reader.members()) members.push([key, read(left - 1)]);
      return Object.fromEntries(members);
    }
    if (left > 0 && reader.isList) {
      const items: unknown[] = [];
      for (const place of reader.items()) items[place] = read(left - 1);
      return items;
    }
    const { start, end } = reader.skip();
    return JSON.parse(decode(bytes.subarray(start, end)));
  };
  const value = read(depth);
  reader.end();
  return value;
}

const outcome = (parse: () => unknown): unknown => {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonSyntaxError) return 'no JSON';
    throw error;
  }
};

describe('JsonReader', () => {
  it('reads what JSON.parse reads, at every depth of the walk', () => {
    const texts = fc
      .tuple(fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' }), fc.constantFrom(undefined, ' ', '\r\n\t'))
      .map(([value, space]) => ` ${JSON.stringify(value, undefined, space)}\n`);
    fc.assert(
      fc.property(texts, fc.nat({ max: 4 }), (text, depth) => {
        expect(walked(text, depth)).toEqual(JSON.parse(text));
      }),
      { numRuns: 1_000 * effort },
    );
  });

  it('refuses exactly the texts that JSON.parse refuses', () => {
    const tokens = [
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"',
      '\\',
      ' ',
      '1',
      '-',
      'true',
      'x',
      '\0',
      '\u00a0',
      '{"a":1}',
      '[]',
    ];
    const garbage = fc.array(fc.constantFrom(...tokens), { maxLength: 12 }).map((parts) => parts.join(''));
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...tokens, ''))
      .map(([text, at, token]) => text.slice(0, at % text.length) + token + text.slice((at % text.length) + 1));
    fc.assert(
      fc.property(fc.oneof(garbage, damaged), fc.nat({ max: 3 }), (text, depth) => {
        expect(outcome(() => walked(text, depth))).toEqual(outcome(() => JSON.parse(text)));
      }),
      { numRuns: 5_000 * effort },
    );
  });

  it('throws only JsonSyntaxError, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const reader = new JsonReader(bytes);
        try {
          if (reader.isObject) Array.from(reader.members());
          else if (reader.isList) Array.from(reader.items());
          else reader.skip();
        } catch (error) {
          expect(error).toBeInstanceOf(JsonSyntaxError);
        }
      }),
      { numRuns: 2_000 * effort },
    );
  });

  it('reads no further than the item at which the caller stops', () => {
    const reader = new JsonReader(encode('{"events":[{"a":1},{"b":2},garbage'));
    const seen: string[] = [];
    for (const key of reader.members()) {
      expect(key).toBe('events');
      for (const place of reader.items()) {
        seen.push(`${place} at ${reader.position}`);
        if (place === 1) break;
      }
      break;
    }
    expect(seen).toEqual(['0 at 11', '1 at 19']);
  });

  it('skips unread values and decodes escaped keys', () => {
    const reader = new JsonReader(encode('{"\\u0061" : [1, {"x": "]"}], "b":2}'));
    expect([...reader.members()]).toEqual(['a', 'b']);
    expect(() => reader.end()).not.toThrow();
  });

  it('yields only the members with the given names, also with escaped keys', () => {
    const bytes = encode('{"raw":1, "ra":2, "\\u0072aw":3, "raws":4, "r\\"w":5, "r\u00e4w":6, "id":7}');
    const reader = new JsonReader(bytes);
    const seen: [string, number | undefined][] = [];
    for (const name of reader.membersNamed(['raw', 'id'])) seen.push([name, bytes[reader.position]]);
    const [one, three, seven] = encode('137');
    expect(seen).toEqual([
      ['raw', one],
      ['raw', three],
      ['id', seven],
    ]);
    expect(() => reader.end()).not.toThrow();
  });

  it('returns the range of a value without surrounding space', () => {
    const text = '{"raw": \n {"n": 1.50, "s": "}"} }';
    const reader = new JsonReader(encode(text));
    for (const key of reader.members()) {
      const { start, end } = reader.skip();
      expect(key).toBe('raw');
      expect(text.slice(start, end)).toBe('{"n": 1.50, "s": "}"}');
    }
  });
});
