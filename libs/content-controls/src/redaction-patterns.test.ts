import { effort } from '@gatehouse/testing/effort';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findPatternFaults, REDACTED, Redactor } from './redaction-patterns.ts';

describe('findPatternFaults', () => {
  it.each([['AKIA[0-9A-Z]{16}'], ['(?i)bearer\\s+\\S+'], ['\\b\\d{3}-\\d{2}-\\d{4}\\b'], ['(a+)+$'], ['\\p{L}+@x']])(
    'accepts %s',
    (pattern) => expect(findPatternFaults([pattern])).toEqual([]),
  );

  it.each<[string, string]>([
    ['(?=a)', 'is not a regular expression of RE2'],
    ['(a)\\1', 'is not a regular expression of RE2'],
    ['(', 'missing closing )'],
    ['a{1001}', 'invalid repeat count'],
    ...['', 'x*', 'a|', '^', '$', '(?m)$', '\\b', '\\B'].map((pattern): [string, string] => [
      pattern,
      'matches the empty string',
    ]),
    ['(a{900}b{900}c{400}){1}', 'instructions, more than 2000'],
  ])('refuses %j', (pattern, sentence) =>
    expect(findPatternFaults(['fine', pattern])).toEqual([{ index: 1, problem: expect.stringContaining(sentence) }]),
  );

  it('names the first pattern with which the list is too large', () => {
    const faults = findPatternFaults(Array<string>(64).fill('a{900}'));
    expect(faults).toEqual([{ index: 11, problem: expect.stringContaining('more than 10000') }]);
  });
});

describe('Redactor', () => {
  it('replaces each passage once', () => {
    const redactor = new Redactor(['\\d{3}-\\d{4}', '(?i)token=\\w+']);
    expect(redactor.redact('Call 555-1234, 555-9999; Token=abc')).toEqual({
      text: `Call ${REDACTED}, ${REDACTED}; ${REDACTED}`,
      count: 3,
    });
    expect(redactor.hasMatch('nothing')).toBe(false);
  });

  it('joins passages that overlap or touch, in any order of the patterns', () => {
    for (const patterns of [
      ['abc', 'cd', 'e'],
      ['e', 'cd', 'abc'],
    ])
      expect(new Redactor(patterns).redact('xabcdex')).toEqual({ text: `x${REDACTED}x`, count: 1 });
  });

  it('keeps characters outside the basic plane whole', () => {
    expect(new Redactor(['é']).redact('😀é😀')).toEqual({ text: `😀${REDACTED}😀`, count: 1 });
    expect(new Redactor(['\\p{So}']).redact('a😀b').text).toBe(`a${REDACTED}b`);
  });

  it('searches 4 MiB for a nested repetition', () => {
    const text = 'a'.repeat(4 * 1024 * 1024);
    expect(new Redactor(['(a+)+$']).redact(`${text}b`).count).toBe(0);
    expect(new Redactor(['(a+)+$']).redact(text).text).toBe(REDACTED);
  });

  it('leaves no match between the replaced passages', () => {
    const piece = fc.constantFrom('a', 'b', '[bc]', 'a+b', '(ab|c)+', 'b{2,3}', 'ca?b', '😀');
    const pattern = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '😀'), maxLength: 60 });
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 4 }), text, (patterns, given) => {
        const redactor = new Redactor(patterns);
        const redacted = redactor.redact(given);
        const rest = redacted.text.split(REDACTED);
        expect(rest.filter((each) => redactor.hasMatch(each))).toEqual([]);
        expect(redacted.count).toBe(rest.length - 1);
        expect(redacted.count > 0).toBe(redactor.hasMatch(given));
      }),
      { numRuns: 300 * effort },
    );
  });
});
