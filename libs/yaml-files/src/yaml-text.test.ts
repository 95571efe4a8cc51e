import { describe, expect, it } from '@jest/globals';
import { FileProblemError } from './file-problem.ts';
import { parseYamlText } from './yaml-text.ts';

const parse = (text: string) => parseYamlText(text, (path) => path.join('.'));

function findProblem(text: string): FileProblemError | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof FileProblemError) return error;
    throw error;
  }
}

describe('parseYamlText', () => {
  it('returns the value and the places of its fields', () => {
    const { value, findPosition } = parse('a: 1\nlist:\n  - b: x\n');
    expect(value).toEqual({ a: 1, list: [{ b: 'x' }] });
    expect(findPosition(['list', 0, 'b'])).toEqual({ line: 3, column: 5 });
    expect(findPosition(['list', 0, 'missing'])).toEqual({ line: 3, column: 5 });
  });

  it.each([
    ['a repeated key', 'a: 1\nb: 2\na: 3\n', 'is not valid YAML: the field a stands twice', 3],
    ['a second document', 'a: 1\n---\nb: 2\n', 'has more than one YAML document', 2],
    ['a key that is a list', '[1]: 2\n', 'is not valid YAML: the field  is a map or a list', 1],
    ['an unclosed list', 'a: [1,\n', 'is not valid YAML in a.0: Flow sequence in block collection must', 2],
  ])('refuses %s with its place', (_, text, reason, line) => {
    const problem = findProblem(text);
    expect(problem?.reason).toContain(reason);
    expect(problem?.position?.line).toBe(line);
  });

  it('refuses aliases that grow beyond a limit', () => {
    const levels = Array.from({ length: 9 }, (_, at) => {
      const before = at === 0 ? '"lol"' : `*l${at - 1}`;
      return `l${at}: &l${at} [${Array(9).fill(before).join(',')}]`;
    });
    expect(findProblem(levels.join('\n'))?.reason).toBe('uses more than 100 aliases');
  });

  it('refuses a text that is nested too deeply', () => {
    expect(findProblem('['.repeat(100_000))).toBeInstanceOf(FileProblemError);
    expect(findProblem('- '.repeat(5_000))).toBeInstanceOf(FileProblemError);
  });
});
