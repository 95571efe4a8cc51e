import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalBytes, canonicalText, computeDigest, type Json } from './canonical.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { parseStrictJson } from './strict-json.ts';

/** -0 is 0 in the canonical form (RFC 8785 §3.2.2.3). */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);

const shuffled = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, part]) => [name, shuffled(part)]),
  );
};

describe('canonicalText', () => {
  it('matches the example of RFC 8785 §3.2.3', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as Json;
    expect(canonicalText(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts names by UTF-16 code units, as RFC 8785 §3.2.3 shows', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const value = Object.fromEntries(names.map((name) => [name, 0]));
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
    expect(canonicalText(value)).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`);
  });

  it('parses to the same value and is its own canonical form', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalText(value);
        const back = parseStrictJson(text, 'the value');
        expect(back).toEqual(value);
        expect(canonicalText(back)).toBe(text);
      }),
    );
  });

  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(computeDigest(shuffled(value))).toBe(computeDigest(value));
      }),
    );
  });

  it('refuses values without a canonical form', () => {
    for (const value of [NaN, Infinity, '\ud800', { '\udc00': 1 }])
      expect(() => canonicalBytes(value as Json)).toThrow();
  });
});

describe('parseDuration and formatDuration', () => {
  it('return the same duration', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 * 3600 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds * 1000))).toBe(seconds * 1000);
      }),
    );
  });

  it.each(['', '5', 'm', '1m1h', '-5m', '1.5h', ' 5m', '5m ', '5M', '1h 5m', '٥m'])('refuse %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it.each([
    ['72h', 259_200_000],
    ['1h30m', 5_400_000],
    ['90s', 90_000],
    ['0s', 0],
  ])('read %s as %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });
});
