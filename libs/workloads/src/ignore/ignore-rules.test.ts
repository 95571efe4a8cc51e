import { describe, expect, it } from '@jest/globals';
import { IgnoreRules } from './ignore-rules.ts';

const decide = (text: string, path: string) =>
  new IgnoreRules(text, '/f').decide(path.replace(/\/$/, ''), path.endsWith('/'));
const isHidden = (text: string, path: string) => typeof decide(text, path) === 'object';

describe('IgnoreRules', () => {
  it.each([
    ['.env', '.env', true],
    ['.env', 'a/b/.env', true],
    ['.env', '.ENV', false],
    ['.env', 'x.env', false],
    ['/.env', 'a/.env', false],
    ['*.pem', 'a/b c.pem', true],
    ['secrets/', 'secrets/', true],
    ['secrets/', 'secrets', false],
    ['a/**/z', 'a/b/c/z', true],
    ['**/k', 'a/b/k', true],
    ['a/*', 'a/b', true],
    ['[ab].txt', 'b.txt', true],
    ['[!a].txt', 'a.txt', false],
    ['[]].txt', '].txt', true],
    ['\\#x', '#x', true],
    ['\\!x', '!x', true],
    ['\\[x', '[x', true],
    ['x\\ ', 'x ', true],
    ['x ', 'x', true],
    ['# .env', '.env', false],
    ['\uFEFF.env\r\nb\r\n', '.env', true],
    ['b\r\n', 'b', true],
    ['*.env\n!keep.env', 'keep.env', false],
    ['cafe\u0301', 'caf\u00E9', true],
    ['日本*', '日本語', true],
    ['a?b', 'a\nb', true],
    ['*', '__proto__', true],
    ['', 'x', false],
  ])('with %j decides on %j', (text, path, expected) => expect(isHidden(text, path)).toBe(expected));

  it('names the rule and its line', () =>
    expect(decide('# x\n\n*.pem', 'k.pem')).toEqual({ pattern: '*.pem', file: '/f', line: 3 }));

  it('tells a path that a rule shows from one that no rule names', () => {
    expect(decide('*.env\n!keep.env', 'keep.env')).toBe('shown');
    expect(decide('*.env', 'keep.txt')).toBeUndefined();
  });

  it.each([
    ['[ab', "has a '[' without a ']'"],
    ['a[]b', "has a '[' without a ']'"],
    ['x\\', 'ends with a backslash'],
    ['a\0b', 'contains a NUL'],
    ['a'.repeat(1_001), 'is longer than'],
  ])('refuses the pattern %j, which would hide nothing', (pattern, problem) =>
    expect(() => new IgnoreRules(`ok\n${pattern}`, '/f')).toThrow(`/f, line 2: the pattern ${problem}`),
  );

  it('refuses patterns that would take hours to compare with a path', () => {
    const pattern = `${'a/**/'.repeat(8)}b`;
    expect(isHidden(pattern, 'a/a/x/a/a/a/a/y/a/a/z/b')).toBe(true);
    expect(() => decide(pattern, `${'a/'.repeat(60)}c`)).toThrow(
      "/f has patterns with several '**' that take too long",
    );
  });

  it('refuses endless files', () => expect(() => new IgnoreRules('a\n'.repeat(10_001), '/f')).toThrow('10000 lines'));
});
