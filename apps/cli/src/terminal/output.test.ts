import { describe, expect, it } from '@jest/globals';
import { printable, printableLines } from './output.ts';

describe('an external text on a terminal', () => {
  it.each([
    ['plain', 'plain'],
    ['größer 東京 👩‍💻', 'größer 東京 👩‍💻'],
    ['\u001b[2Jgone', '\\u001b[2Jgone'],
    ['a\nb\r\tc', 'a\\u000ab\\u000d\\u0009c'],
    ['\u009b31mred', '\\u009b31mred'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['a\u200bb\u{e0041}', 'a\\u200bb\\udb40\\udc41'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
  ])('%j is shown as %j', (text, shown) => expect(printable(text)).toBe(shown));
});

describe('a document on a terminal', () => {
  it('contains no control characters, and stays the same document', () => {
    const value = { 'na\u009b31mme': ['\u001b[2J', '\u202egnp.exe', 'a\tb\n', 'größer 👩‍💻'] };
    const shown = printableLines(JSON.stringify(value, null, 2));
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(JSON.parse(shown)).toEqual(value);
  });

  it('keeps the line breaks of the CLI', () => expect(printableLines('a\n\tb\u001b\n')).toBe('a\n\tb\\u001b\n'));
});
