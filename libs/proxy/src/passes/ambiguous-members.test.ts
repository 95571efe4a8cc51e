import { describe, expect, it } from '@jest/globals';
import { findAmbiguousMember } from './ambiguous-members.ts';

describe('findAmbiguousMember', () => {
  it.each([
    ['{"method":"ping","method":"tools/call"}', 'method'],
    ['{"method":"ping","Method":"tools/call"}', 'Method'],
    ['{"method":"ping","m\\u0065thod":"tools/call"}', 'method'],
    ['{"params":{"name":"a","arguments":{},"NAME":"b"}}', 'NAME'],
    // The long s, which Go folds to s.
    ['{"params":{},"param\u017f":{}}', 'param\u017f'],
    ['{"params":{"arguments":{"path":"/a","path":"/b"}}}', 'path'],
    ['{"a":{"b":1},"c":[{"b":1}],"a":2}', 'a'],
  ])('finds the repeated member in %s', (text, name) => {
    expect(findAmbiguousMember(text)).toEqual({ name, isRepeated: true });
  });

  it.each([
    ['{"jsonrpc":"2.0","Id":7,"method":"tools/call"}', 'Id'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"},"Method":"tools/list"}', 'Method'],
    ['{"method":"tools/call","PARAMS":{"name":"a"}}', 'PARAMS'],
    ['{"method":"tools/call","params":{"Name":"a"}}', 'Name'],
    ['{"re\u017fult":{}}', 'reſult'],
  ])('finds the member in another case in %s', (text, name) => {
    expect(findAmbiguousMember(text)).toEqual({ name, isRepeated: false });
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"name","arguments":{"name":"a","Name":"b"}}}',
    '{"a":"{\\"a\\":1,\\"a\\":2}","b":"\\\\","c":{"a":1}}',
    '{"params":{"arguments":{"deep":{"a":1,"a":2}}}}',
    '{"params":{"arguments":{"Name":"a","ID":1}},"Extra":1}',
    '{"a":[{"b":1},{"b":2}],"b":[["a"],["a"]]}',
    '[]',
    '"a:a"',
    '{}',
  ])('finds none in %s', (text) => {
    expect(findAmbiguousMember(text)).toBeUndefined();
  });
});
