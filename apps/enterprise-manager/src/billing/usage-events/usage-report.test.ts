import { describe, expect, it } from '@jest/globals';
import { hash } from 'node:crypto';
import { getAttemptKey, computeContentHash } from './usage-report.ts';

describe('computeContentHash', () => {
  it('ignores the order of members and the spelling of values, and distinguishes all values', () => {
    const one = computeContentHash(JSON.parse('{"b":{"y":1.0,"x":[1e2,"\\u00e4"]},"a":null}'));
    expect(computeContentHash(JSON.parse('{"a":null,"b":{"x":[100,"ä"],"y":1}}'))).toBe(one);
    for (const other of [
      '{"a":null,"b":{"x":["ä",100],"y":1}}',
      '{"a":0,"b":{"x":[100,"ä"],"y":1}}',
      '{"b":{"x":[100,"ä"],"y":1}}',
    ])
      expect(computeContentHash(JSON.parse(other))).not.toBe(one);
  });

  it('is the SHA-256 of the canonical text of RFC 8785', () => {
    // The example of section 3.2.3: names are sorted by their UTF-16 units, numeric names too.
    const names = {
      '\u20ac': 'Euro',
      '\r': 'CR',
      '\ufb33': 'Dalet',
      '1': 'One',
      '\ud83d\ude00': 'Smiley',
      '\u0080': 'Control',
      '\u00f6': 'o',
      '10': 'Ten',
      '9': 'Nine',
    };
    const text =
      '{"\\r":"CR","1":"One","10":"Ten","9":"Nine","\u0080":"Control","ö":"o","€":"Euro","😀":"Smiley","\ufb33":"Dalet"}';
    expect(computeContentHash(names)).toEqual(hashText(text));
  });

  it.each([1, 2, 15, 16, 17, 40])('sorts %i names', (count) => {
    const names = Array.from({ length: count }, (_, at) => `${(at * 7) % count}`.repeat(1 + (at % 3)));
    const text = [...new Set(names)].sort().map((name) => `"${name}":1`);
    expect(computeContentHash(Object.fromEntries(names.map((name) => [name, 1])))).toBe(hashText(`{${text.join()}}`));
  });

  it('distinguishes unpaired surrogates', () => {
    expect(computeContentHash({ a: '\ud800' })).not.toBe(computeContentHash({ a: '\ud801' }));
  });
});

describe('getAttemptKey', () => {
  it('differs for different attempts', () => {
    const names = [
      { interaction_id: 'a', attempt: 1 },
      { interaction_id: 'a', attempt: 11 },
      { interaction_id: '1 a', attempt: 1 },
      { interaction_id: 'a 1', attempt: 1 },
    ].map(getAttemptKey);
    expect(new Set(names).size).toBe(4);
  });
});

const hashText = (text: string) => hash('sha256', text, 'hex');
