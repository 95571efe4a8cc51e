import { describe, expect, it } from '@jest/globals';
import { findRepeatedMember } from './repeated-members.ts';

describe('findRepeatedMember', () => {
  it.each([
    ['{"method":"ping","method":"tools/call"}', 'method'],
    ['{"method":"ping","Method":"tools/call"}', 'Method'],
    ['{"method":"ping","m\\u0065thod":"tools/call"}', 'method'],
    ['{"params":{"name":"a","arguments":{},"NAME":"b"}}', 'NAME'],
    // The long s, which Go folds to s.
    ['{"params":{},"param\u017f":{}}', 'param\u017f'],
    ['{"params":{"arguments":{"path":"/a","path":"/b"}}}', 'path'],
    ['{"a":{"b":1},"c":[{"b":1}],"a":2}', 'a'],
  ])('finds the member in %s', (text, name) => {
    expect(findRepeatedMember(text)).toBe(name);
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"name","arguments":{"name":"a","Name":"b"}}}',
    '{"a":"{\\"a\\":1,\\"a\\":2}","b":"\\\\","c":{"a":1}}',
    '{"params":{"arguments":{"deep":{"a":1,"a":2}}}}',
    '{"a":[{"b":1},{"b":2}],"b":[["a"],["a"]]}',
    '[]',
    '"a:a"',
    '{}',
  ])('finds none in %s', (text) => {
    expect(findRepeatedMember(text)).toBeUndefined();
  });
});
