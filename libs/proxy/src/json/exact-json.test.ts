import { describe, expect, it } from '@jest/globals';
import { parseExactly } from './exact-json.ts';

describe('parseExactly', () => {
  it.each([
    '{"a":9007199254740993}',
    '[1.0,1e400,0.1234567890123456789,-0.50]',
    '{"a":[1,-2,3.5,"1.0"]}',
    '[18446744073709551615]',
  ])('keeps the numbers of %s', (text) => {
    expect(JSON.stringify(parseExactly(text))).toBe(text);
  });

  it('returns numbers that JavaScript writes alike as numbers', () => {
    expect(parseExactly('{"a":[1,-2,3.5]}')).toEqual({ a: [1, -2, 3.5] });
  });
});
