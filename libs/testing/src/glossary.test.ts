import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Term') && !line.startsWith('| ---'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const source = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts') && !path.startsWith('libs/contracts/'))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

const isInCode = (name: string): boolean =>
  name.includes('/') || name.endsWith('.ts')
    ? existsSync(join(root, name)) || globSync(`{apps,libs}/*/src/**/${name}`, { cwd: root }).length > 0
    : new RegExp(`(?<![A-Za-z0-9_])${name.replace(/[^A-Za-z0-9_]/g, '\\$&')}(?![A-Za-z0-9_])`).test(source);

describe('the glossary', () => {
  it.each(rows.map(([, term = '', , names = '']) => ({ term, names })))(
    'names code that exists: $term',
    ({ names }) => {
      const quoted = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      expect(quoted.length).toBeGreaterThan(0);
      expect(quoted.filter((name) => !isInCode(name))).toEqual([]);
    },
  );
});
