import { describe, expect, it } from '@jest/globals';
import { isRawNumber, parseAnswer, withPlainNumbers } from './exact-json.ts';

const FREE_FORM = '{"a":0.1234567890123456789,"b":[9007199254740993,1e400],"c":-0,"d":1.50,"__proto__":{"e":1E5}}';

describe('parseAnswer', () => {
  it.each(['metadata', 'raw_usage', 'estimated_usage', 'config'])('keeps the text of each number in %s', (name) => {
    const text = `{"${name}":${FREE_FORM},"limit":3}`;
    expect(JSON.stringify(parseAnswer(text))).toBe(text);
  });

  it('returns plain numbers everywhere else', () => {
    expect(parseAnswer('{"limit":1.0,"items":[{"count":2e1,"metadata":{"a":1}}]}')).toEqual({
      limit: 1,
      items: [{ count: 20, metadata: { a: 1 } }],
    });
    expect(isRawNumber(parseAnswer('1.0'))).toBe(false);
  });

  it('refuses a text that is not JSON', () => {
    expect(() => parseAnswer('{"a":')).toThrow(SyntaxError);
  });
});

it('withPlainNumbers rounds to the numbers of JavaScript', () => {
  expect(withPlainNumbers(parseAnswer('{"raw_usage":{"tokens":12.0,"more":[1e1]}}'))).toEqual({
    raw_usage: { tokens: 12, more: [10] },
  });
});
