import { describe, expect, it } from '@jest/globals';
import { formatTable } from './table.ts';

const HEAD = ['NAME', 'DESCRIPTION'];
const TEXT = 'Reads and changes issues of a project, and searches them';
const format = (width: number | undefined, name = 'com.example/issues') =>
  formatTable(HEAD, [[name, TEXT]], false, { width }).split('\n');

describe('formatTable', () => {
  it('is as wide as its content without a terminal, and on a wide one', () => {
    const lines = ['NAME                DESCRIPTION', `com.example/issues  ${TEXT}`];
    expect(format(undefined)).toEqual(lines);
    expect(format(80)).toEqual(lines);
  });

  it('breaks the text of the last column at its blanks', () =>
    expect(format(50)).toEqual([
      'NAME                DESCRIPTION',
      'com.example/issues  Reads and changes issues of',
      '                    a project, and searches them',
    ]));

  it('puts a text below its row that does not fit beside it', () =>
    expect(format(40)).toEqual([
      'NAME',
      'com.example/issues',
      '  Reads and changes issues of a project,',
      '  and searches them',
    ]));

  it('has no line that is wider than the terminal', () => {
    for (let width = 24; width < 90; width += 1)
      for (const line of format(width)) expect(line.length).toBeLessThanOrEqual(width);
  });

  it('leaves out spare columns in their order where the terminal is too narrow', () => {
    const format = (width: number) =>
      formatTable(['A', 'B', 'C'], [['aaaa', 'bbbb', 'cccc']], false, { width, spare: ['C', 'A'] }).split('\n')[0];
    expect([format(16), format(15), format(9)]).toEqual(['A     B     C', 'A     B', 'B']);
  });

  it('has no blanks at the end of a bold head', () =>
    expect(formatTable(['A'], [['aaaa']], true).split('\n')[0]).toBe('\u001b[1mA\u001b[22m'));

  it('leaves short cells as they are', () =>
    expect(formatTable(HEAD, [['a'.repeat(30), '/a/path/that is/not/broken']], false, { width: 20 })).toContain(
      '/not/broken',
    ));
});
