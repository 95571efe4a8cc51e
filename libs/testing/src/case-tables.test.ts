import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readRows = (document: string, letter: string): string[] =>
  readFileSync(join(root, 'docs', document), 'utf8')
    .split('\n')
    .filter((line) => new RegExp(`^\\| ${letter}\\d\\d `).test(line));
const readCase = (row: string): string => row.slice(2, 5);

describe.each([
  ['attack-cases.md', 'A'],
  ['failure-classes.md', 'F'],
])('the table of %s', (document, letter) => {
  const rows = readRows(document, letter);

  it('is sorted', () => {
    const cases = rows.map(readCase);
    expect(cases).toEqual([...cases].sort());
  });

  it.each(rows)('names existing tests: %s', (row) => {
    const tests = [...row.matchAll(/`([^`]+\.test\.ts)`(?:: "([^"]+)")?/g)];
    expect(tests.length).toBeGreaterThan(0);
    let folder = '';
    for (const [, written = '', name] of tests) {
      // A file name without a folder belongs to the folder of the name before it.
      const file = written.includes('/') ? written : `${folder}/${written}`;
      folder = dirname(file);
      expect([file, existsSync(join(root, file))]).toEqual([file, true]);
      if (name !== undefined) expect(readFileSync(join(root, file), 'utf8')).toContain(`'${name}'`);
    }
  });
});

describe('the table of failure-classes.md', () => {
  it('has all classes', () => {
    const all = Array.from({ length: 23 }, (_, at) => `F${String(at + 1).padStart(2, '0')}`);
    expect(readRows('failure-classes.md', 'F').map(readCase)).toEqual(all);
  });
});
