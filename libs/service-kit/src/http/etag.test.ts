import { describe, expect, it } from '@jest/globals';
import { isTagList, noneMatchNames, requireMatch } from './etag.ts';

const CURRENT = '"now"';

describe('If-Match and If-None-Match', () => {
  it.each(['"now"', '"x", "now"', '"a,b","now"', ', "now"', '"now", ', '"x",, "now" ,', '*'])(
    'match the current tag with %s',
    (header) => {
      expect(isTagList(header)).toBe(true);
      expect(noneMatchNames(header, CURRENT)).toBe(true);
      expect(() => requireMatch(header, CURRENT, 'required')).not.toThrow();
    },
  );

  it.each(['"old"', '"a,now"', '""', '"now,"'])('do not match the current tag with %s', (header) => {
    expect(isTagList(header)).toBe(true);
    expect(noneMatchNames(header, CURRENT)).toBe(false);
    expect(() => requireMatch(header, CURRENT, 'optional')).toThrow(/has changed/);
  });

  it('accept tags with commas', () => {
    expect(noneMatchNames('"x", "a,b"', '"a,b"')).toBe(true);
    expect(noneMatchNames('"a", "b"', '"a,b"')).toBe(false);
    expect(() => requireMatch('"x","a,b"', '"a,b"', 'required')).not.toThrow();
  });

  it('compare weakly for reads and strongly for writes', () => {
    expect(noneMatchNames('W/"now"', CURRENT)).toBe(true);
    expect(() => requireMatch('W/"now"', CURRENT, 'optional')).toThrow(/has changed/);
  });

  it.each(['now', '', ',', '"now', '*, "now"', '"now" "old"', 'w/"now"', `"now"${', '.repeat(5_000)}x`])(
    'refuse the malformed list %j',
    (header) => {
      expect(isTagList(header)).toBe(false);
      expect(noneMatchNames(header, CURRENT)).toBe(false);
    },
  );
});
