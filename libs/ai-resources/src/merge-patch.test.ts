import { describe, expect, it } from '@jest/globals';
import { applyMergePatch } from './merge-patch.ts';

/** The test cases of RFC 7396, appendix A: target, patch, result. */
const RFC_CASES = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
] as const;

/** The rule of the API server for lists. */
const LISTS = [['{"a":1}', '{"a":[{"b":null,"c":[{"d":null}]},null,1]}', '{"a":[{"c":[{}]},null,1]}']] as const;

const NAMES_OF_OBJECTS = [
  ['{"a":{"x":1}}', '{"a":{"__proto__":{"y":1},"z":1}}', '{"a":{"x":1,"__proto__":{"y":1},"z":1}}'],
  ['{"a":{"__proto__":1,"x":1}}', '{"a":{"__proto__":null}}', '{"a":{"x":1}}'],
  ['{"a":{"x":1}}', '{"a":{"constructor":{"prototype":1},"x":2}}', '{"a":{"x":2,"constructor":{"prototype":1}}}'],
  ['{"hasOwnProperty":1,"x":1}', '{"x":null,"toString":{"a":null}}', '{"hasOwnProperty":1,"toString":{}}'],
] as const;

describe('applyMergePatch', () => {
  it.each([...RFC_CASES, ...LISTS, ...NAMES_OF_OBJECTS])('changes %s by %s to %s', (target, patch, expected) => {
    const [before, change] = [JSON.parse(target), JSON.parse(patch)];
    expect(JSON.stringify(applyMergePatch(before, change))).toBe(expected);
    expect(JSON.stringify([before, change])).toBe(`[${target},${patch}]`);
    expect(({} as Record<string, unknown>)['y']).toBeUndefined();
  });
});
