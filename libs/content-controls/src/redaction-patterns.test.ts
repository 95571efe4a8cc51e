import { effort } from '@gatehouse/testing/effort';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PatternCheck, REDACTED, Redactor } from './redaction-patterns.ts';

describe('PatternCheck', () => {
  it.each([['AKIA[0-9A-Z]{16}'], ['(?i)bearer\\s+\\S+'], ['\\b\\d{3}-\\d{2}-\\d{4}\\b'], ['(a+)+$'], ['\\p{L}+@x']])(
    'accepts %s',
    (pattern) => expect(new PatternCheck().findFaults([pattern])).toEqual([]),
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
    expect(new PatternCheck().findFaults(['fine', pattern])).toEqual([
      { index: 1, problem: expect.stringContaining(sentence) },
    ]),
  );

  it('stops at the limit of a list that consists of patterns that are too large', () => {
    const faults = new PatternCheck().findFaults(Array.from({ length: 64 }, (_, at) => `\\pL{1,1000}${at}`));
    expect(faults).toHaveLength(5);
  });

  it('stops at the limit of all lists, and compiles patterns that they share once', () => {
    const check = new PatternCheck();
    const createList = (at: number) => Array.from({ length: 5 }, (_, index) => `[^b]{1,900}${at}b${index}`);
    for (let at = 0; at < 100; at += 1) expect(check.findFaults(createList(0))).toEqual([]);
    const results = Array.from({ length: 100 }, (_, at) => check.findFaults(createList(at)));
    expect(results[5]).toEqual([]);
    expect(results.at(-1)).toEqual([{ index: 0, problem: expect.stringContaining('more than 100000') }]);
  });

  it('stops at the limit of its time, with patterns that compile slowly to few instructions', () => {
    const patterns = Array.from({ length: 64 }, (_, at) => `(?i)[${'a-\\x{10fff}'.repeat(90)}]${at}`);
    expect(new PatternCheck().findFaults(patterns)).toEqual([
      { index: expect.any(Number), problem: expect.stringContaining('longer than 2 s') },
    ]);
  });

  it('names the first pattern with which the list is too large', () => {
    const faults = new PatternCheck().findFaults(Array<string>(64).fill('a{900}'));
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
