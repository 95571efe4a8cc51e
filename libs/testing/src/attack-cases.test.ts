import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const rows = readFileSync(join(root, 'docs/attack-cases.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| A\d\d /.test(line));

describe('the table of attack cases', () => {
  it('is sorted', () => {
    const cases = rows.map((row) => row.slice(2, 5));
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
