import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { ModelCallError } from '../model-call-error.ts';
import type { JsonObject } from '../model-request.ts';
import { JsonArrayItems } from './json-array-items.ts';

function read(text: string, cuts: readonly number[] = []): JsonObject[] {
  const found: JsonObject[] = [];
  const items = new JsonArrayItems((item) => found.push(item));
  const bytes = Buffer.from(text);
  let start = 0;
  for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    items.push(bytes.subarray(start, end));
    start = end;
  }
  return found;
}

const objects = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 5 });

describe('JsonArrayItems', () => {
  it('reads the items of an array that is cut anywhere', () => {
    fc.assert(
      fc.property(objects, fc.array(fc.nat()), fc.constantFrom(undefined, 2), (values, cuts, space) => {
        const text = JSON.stringify(values, undefined, space);
        expect(read(text, cuts)).toEqual(JSON.parse(text));
      }),
      { numRuns: 100 * effort, seed },
    );
  });

  it('passes an item on as soon as its last byte arrives', () => {
    expect(read('[{"a": "}]"}\n,\r\n{"b": [{}]')).toEqual([{ a: '}]' }]);
  });

  it('ignores items that are not valid', () => {
    expect(read('[{"a" 1}, {"b": 2}, 5, []]')).toEqual([{ b: 2 }]);
  });

  it('never fails on garbage', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        const items = new JsonArrayItems(() => undefined);
        for (const chunk of chunks) items.push(chunk);
      }),
      { numRuns: 100 * effort, seed },
    );
  });

  it('refuses an item that is too long, and keeps one piece of each chunk', () => {
    const items = new JsonArrayItems(() => undefined);
    items.push(Buffer.from('[{"a": "'));
    const chunk = Buffer.alloc(1024 * 1024, '}');
    for (let sent = 0; sent < 31; sent += 1) items.push(chunk);
    expect(() => items.push(chunk)).toThrow('too large');
  });

  it('refuses an item that is nested too deep', () => {
    expect(() => read('['.repeat(200))).toThrow(ModelCallError);
  });
});
