import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readItem } from './batch-item.ts';
import { parseJsonBody } from './json-body.ts';
import { Refusal } from './refusal.ts';

const Item = z.strictObject({ id: z.int(), data: z.unknown() });
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** What becomes of each item of a body, or of the body. */
function outcomes(text: string): unknown {
  try {
    const { items } = parseJsonBody(Buffer.from(text), { judgedItems: true }) as { items: unknown[] };
    return items.map((item) => {
      const read = readItem(Item, item);
      return 'error' in read ? read.error : read.item.id;
    });
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

describe('a batch whose items are judged one by one', () => {
  it.each<[string, string, string]>([
    ['nesting', `{"id":2,"data":${nested(62)}}`, 'body: is nested deeper than 64 levels'],
    ['more nesting than anybody reads', `{"id":2,"data":${nested(1 << 20)}}`, 'body: is nested deeper than 64 levels'],
    ['a list of lists', nested(70), 'body: is nested deeper than 64 levels'],
    ['a key twice', '{"id":2,"data":{"a":1,"\\u0061":2}}', 'body: the key "a" is there twice in one object'],
    [
      'a key that reaches a prototype',
      '{"id":2,"data":{"constructor":1}}',
      'body: the key "constructor" is not allowed',
    ],
    ['half of a pair', '{"id":2,"more":"\\ud800"}', 'data: is required; more: is not a known field'],
  ])('leaves the others as they are beside an item with %s', (_, bad, sentence) => {
    const good = (id: number) => `{"id":${id},"data":"[{\\"}]"}`;
    expect(outcomes(`{"items":[${good(1)},${bad},${good(3)},${bad}, "no item",${good(6)}]}`)).toEqual([
      ...[1, sentence, 3, sentence, 'body: must be an object', 6],
    ]);
  });

  it('takes an item that is as deep as may be', () => {
    expect(outcomes(`{"items":[{"id":1,"data":${nested(61)}}]}`)).toEqual([1]);
  });

  it.each<[string, string, string]>([
    ['a key twice', '{"items":[],"items":[{"id":1,"id":2}]}', 'body: the key "items" is there twice in one object'],
    ['nesting outside of lists', `{"items":{"a":${nested(70)}}}`, 'body: is nested deeper than 64 levels'],
    ['nesting in a list of its own', `[[${nested(70)}]]`, 'body: is nested deeper than 64 levels'],
    ['an end too early', `{"items":[${nested(70)}`, 'body: is not valid JSON'],
    ['a string without an end', `{"items":[${nested(70)},"`, 'body: is not valid JSON'],
    ['an escape that is none', `{"items":[${nested(70)},{"\\x":1}]}`, 'body: is not valid JSON'],
    ['brackets alone', '['.repeat(8 << 20), 'body: is nested deeper than 64 levels'],
  ])('is refused whole for %s', (_, text, sentence) => {
    expect(outcomes(text)).toBe(sentence);
  });
});
