import { describe, expect, it } from '@jest/globals';
import { JsonText } from '@gatehouse/service-kit/json-text';
import { formatNdjsonLine, wantsNdjson } from './ndjson.ts';

describe('wantsNdjson', () => {
  it.each([
    ['application/x-ndjson', true],
    ['Application/X-NDJSON; charset=utf-8', true],
    ['application/x-ndjson, */*;q=0.1', true],
    ['application/x-ndjson;q=0.5, application/json;q=0.4', true],
    ['application/json, application/x-ndjson', false],
    ['application/x-ndjson;q=0', false],
    ['application/x-ndjson;q=none', false],
    ['*/*', false],
    ['application/*', false],
    ['', false],
    [undefined, false],
  ])('reads Accept %j as %j', (accept, wanted) => {
    expect(wantsNdjson(accept)).toBe(wanted);
  });
});

describe('formatNdjsonLine', () => {
  it('contains one line break, also for a stored JSON text with line breaks', () => {
    const text = '{\n  "note": "a\\nb",\r\n  "cost": 1.50\n}';
    const line = formatNdjsonLine({ id: 1, raw_usage: new JsonText(text) });
    expect(line).toBe('{"id":1,"raw_usage":{   "note": "a\\nb",    "cost": 1.50 }}\n');
  });
});
