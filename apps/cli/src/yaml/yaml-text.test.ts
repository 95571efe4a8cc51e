import { describe, expect, it } from '@jest/globals';
import { parseYaml } from './yaml-text.ts';

const TEXT = ['# comment', 'spec:', '  matchers:', '    - claims:', '        groups: a', '    - claims: {}', ''].join(
  '\n',
);

describe('parseYaml', () => {
  it.each([
    [['spec'], 2],
    [['spec', 'matchers', '0', 'claims', 'groups'], 5],
    [['spec', 'matchers', '1', 'claims'], 6],
    [['spec', 'matchers', '7'], 3],
    [['spec', 'absent', 'more'], 2],
    [['absent'], 2],
  ])('finds the line of %j', (path, line) => expect(parseYaml(TEXT).findLine(path)).toBe(line));

  it.each([
    ['a: 1\na: 2\n', 2],
    ['a: [1\nb: 2\n', 2],
    ['a: 1\n---\nb: 2\n', 2],
    ['a: *unknown\n', 1],
    ['\ta: 1\n', 1],
  ])('reports the line of the error in %j', (text, line) => {
    const { value, problems } = parseYaml(text);
    expect(value).toBeUndefined();
    expect(problems[0]?.line).toBe(line);
    expect(problems[0]?.message).not.toContain('parseAllDocuments');
  });

  it('refuses aliases that repeat too much', () => {
    const levels = Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}*a${n}]`);
    const { problems } = parseYaml(['a0: &a0 [x, x, x, x]', ...levels].join('\n'));
    expect(problems[0]?.message).toContain('Excessive alias count');
  });

  it('reads JSON', () => expect(parseYaml('{"a": {"b": [1]}}').value).toEqual({ a: { b: [1] } }));
});
