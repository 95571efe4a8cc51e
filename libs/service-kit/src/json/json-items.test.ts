import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readItem, readItems } from './batch-item.ts';
import { parseJsonBody } from './json-body.ts';
import { JsonItem } from './json-items.ts';
import { HttpError } from '../errors/http-error.ts';

const schema = z.strictObject({ id: z.int(), data: z.unknown() });
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const LISTS = { maximum: { items: 1_000 }, hasUnparsedItems: true } as const;

/** The outcome of each item of a body, or of the whole body. */
async function outcomes(text: string): Promise<unknown> {
  try {
    const { items } = (await parseJsonBody(Buffer.from(text), { lists: LISTS })) as { items: unknown[] };
    return await readItems(items, (item) => {
      const read = readItem({ schema }, item);
      return 'error' in read ? read.error : read.item.id;
    });
  } catch (error) {
    if (error instanceof HttpError) return error.message;
    throw error;
  }
}

describe('readItems of a batch with unparsed items', () => {
  it.each<[string, string, string]>([
    ['nesting', `{"id":2,"data":${nested(100)}}`, 'body: is nested deeper than 100 levels'],
    ['too many bytes', `{"id":2,"data":${nested(1 << 20)}}`, 'body: has more than 128 KiB of JSON text'],
    ['a long text', `"${'x'.repeat(2 << 20)}"`, 'body: has more than 128 KiB of JSON text'],
    ['a list of lists', nested(101), 'body: is nested deeper than 100 levels'],
    ['many values', `{"id":2,"data":[${'0,'.repeat(50_000)}0]}`, 'body: has more than 50,000 values'],
    ['a key twice', '{"id":2,"data":{"a":1,"\\u0061":2}}', 'body: the key "a" is there twice in one object'],
    ['a prototype key', '{"id":2,"data":{"constructor":1}}', 'body: the key "constructor" is not allowed'],
    ['half of a surrogate pair', '{"id":2,"more":"\\ud800"}', 'data: is required; more: is not a known field'],
    [
      'many unknown members',
      `{"id":2,"data":1,${Array.from({ length: 8_000 }, (_, at) => `"k${at}":0`).join()}}`,
      `${[0, 1, 2, 3, 4].map((at) => `k${at}: is not a known field`).join('; ')}; and more`,
    ],
  ])('rejects an item with %s and reads the other items', async (_, bad, sentence) => {
    const good = (id: number) => `{"id":${id},"data":"[{\\"}]"}`;
    expect(await outcomes(`{"items":[${good(1)},${bad},${good(3)},${bad}, "no item",${good(6)}]}`)).toEqual([
      ...[1, sentence, 3, sentence, 'body: must be an object', 6],
    ]);
  });

  it('accepts an item with the maximum depth', async () => {
    expect(await outcomes(`{"items":[{"id":1,"data":${nested(99)}}]}`)).toEqual([1]);
  });

  it.each<[string, string, string]>([
    ['a key twice', '{"items":[],"items":[{"id":1,"id":2}]}', 'body: the key "items" is there twice in one object'],
    ['nesting outside of lists', `{"items":{"a":${nested(100)}}}`, 'body: is nested deeper than 100 levels'],
    ['nesting in a list of its own', `[[${nested(100)}]]`, 'body: is nested deeper than 100 levels'],
    ['values outside of lists', `{"items":[],"a":[${'{},'.repeat(50_000)}{}]}`, 'body: has more than 50,000 values'],
    [
      'members outside of lists',
      `{${'"a":1,'.repeat(1 << 20)}"a":1}`,
      'body: the key "a" is there twice in one object',
    ],
    ['a missing end', `{"items":[${nested(70)}`, 'body: is not valid JSON'],
    ['a string without an end', `{"items":[${nested(70)},"`, 'body: is not valid JSON'],
    ['an invalid escape', '{"items":[{"id":1,"data":1},{"\\x":1}]}', 'body: is not valid JSON'],
    ['a missing comma', '{"items":[{"id":1,"data":1} {"id":2,"data":1}]}', 'body: is not valid JSON'],
    ['8 MiB of brackets', '['.repeat(8 << 20), 'body: is nested deeper than 100 levels'],
    ['a long text beside the lists', `{"a":"${'x'.repeat(1 << 20)}"}`, 'a: has more than 1 MiB of JSON text'],
    [
      'an object of many members',
      `{"a":{"b":{${Array.from({ length: 1_001 }, (_, at) => `"k${at}":0`).join()}}}}`,
      'a.b: has an object with more than 1,000 members',
    ],
    [
      'many members beside the list',
      `{${Array.from({ length: 1_001 }, (_, at) => `"k${at}":0`).join()}}`,
      'body: has an object with more than 1,000 members',
    ],
    [
      'a list of the name `Constructor`',
      `{"Constructor":[${'{},'.repeat(60_000)}{}]}`,
      'body: has more than 50,000 values',
    ],
    [
      'a list of the name `__PROTO__`',
      `{"__PROTO__":[${'{},'.repeat(60_000)}{}]}`,
      'body: has more than 50,000 values',
    ],
    ['a list of the name `toString`', `{"toString":[${'{},'.repeat(60_000)}{}]}`, 'body: has more than 50,000 values'],
    ['a long key', `{"${'x'.repeat(1 << 20)}":1}`, 'body: has more than 1 MiB of JSON text'],
    ['too many items', `{"items":[${'{"a":1,"a":2},'.repeat(1_000)}`, 'items: must have at most 1000 items'],
  ])('refuses the whole body for %s', async (_, text, sentence) => {
    expect(await outcomes(text)).toBe(sentence);
  });
});

describe('parseJsonBody with named lists', () => {
  const lists = { maximum: { things: 20_000, 'operations.*.value': 3 } };
  const parse = (text: string) => parseJsonBody(Buffer.from(text), { lists });

  it('accepts more values in them than in another body', async () => {
    const things = Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'x', list: [1, 2, 3] }));
    expect(await parse(JSON.stringify({ things }))).toEqual({ things });
  });

  it('names the item that exceeds a limit or breaks a rule', async () => {
    await expect(parse(`{"things":[1,[${'0,'.repeat(50_000)}0]]}`)).rejects.toThrow(
      'things[1]: has more than 50,000 values',
    );
    await expect(parse('{"things":[1,{"a":"\\u0000"}]}')).rejects.toThrow('things[1].a: must not contain');
  });

  it('finds a list inside the items of another list, in any case of its name', async () => {
    const body = { Operations: [{ op: 'add', value: [1, 2] }, { op: 'remove' }, { value: 'text' }] };
    expect(await parse(JSON.stringify(body))).toEqual(body);
    await expect(parse('{"Operations":[{"value":[1,2]},{"VALUE":[3,4]}]}')).rejects.toThrow(
      'must have at most 3 items',
    );
  });
});

describe('JsonItem', () => {
  const read = (text: string) => new JsonItem(Buffer.from(text)).read(['raw']);

  it('keeps the bytes of verbatim members', () => {
    const raw = '{"n": 0.1234567890123456789, "big":1e400, "__proto__":{"x":1}, "constructor":2, "a":1, "a":2}';
    const { value, texts } = read(`{"id":1, "raw" : ${raw} }`);
    expect(texts.get('raw')).toBe(raw);
    expect(Object.getPrototypeOf((value as { raw: object }).raw)).toBe(Object.prototype);
  });

  it('finds verbatim members after characters of several bytes', () => {
    const { value, texts } = read('{"é€😀":"é", "\\u0072aw": {"ü":1.0}, "b":"é"}');
    expect(texts).toEqual(new Map([['raw', '{"ü":1.0}']]));
    expect(value).toEqual({ 'é€😀': 'é', raw: { ü: 1 }, b: 'é' });
    expect(() => read('{"é":1,"raw":{"é":1,"é":2},"b":1,"b":2}')).toThrow('the key "b" is there twice');
  });

  it('limits the bytes and values of a verbatim member', () => {
    const list = (values: number) => `[${Array.from({ length: values - 1 }, () => '1.0').join()}]`;
    const text = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
    for (const raw of [list(2_000), text(65_536)]) expect(read(`{"raw":${raw}}`).texts.get('raw')).toBe(raw);
    expect(() => read(`{"raw":${list(2_001)}}`)).toThrow('raw: has more than 2,000 values');
    expect(() => read(`{"raw":${text(65_537)}}`)).toThrow('raw: has more than 64 KiB of JSON text');
    expect(read(`{"other":${list(2_001)},"raw":1}`).texts.get('raw')).toBe('1');
  });

  it('rejects only the item with a verbatim member that is too large', async () => {
    const members = Array.from({ length: 8_000 }, (_, at) => `"k${at}":1.0`).join();
    const body = `{"items":[{"id":1,"data":{}},{"id":2,"data":{${members}}},{"id":3,"data":{}}]}`;
    const { items } = (await parseJsonBody(Buffer.from(body), { lists: LISTS })) as { items: unknown[] };
    const form = { schema, verbatim: ['data'] };
    const errors = items.map((item) => readItem(form, item)).map((read) => ('error' in read ? read.error : 'valid'));
    expect(errors).toEqual(['valid', 'data: has more than 64 KiB of JSON text', 'valid']);
  });

  it('checks the keys of all other members', () => {
    expect(() => read('{"raw":{"a":1,"a":2},"b":{"a":1,"a":2}}')).toThrow('the key "a" is there twice');
    expect(() => read('{"raw":{"constructor":1},"constructor":1}')).toThrow('"constructor" is not allowed');
    expect(() => read('{"raw":1,"raw":2}')).toThrow('the key "raw" is there twice');
  });
});
