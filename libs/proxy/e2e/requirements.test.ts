import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Requirement, requirements } from './requirements.ts';

const entries: [string, Requirement][] = Object.entries(requirements);

/** The titles of the tests of a file, as they are written. */
function listTitles(file: string): string[] {
  const path = join(import.meta.dirname, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return [...text.matchAll(/\(\s*'((?:[^'\\]|\\.)+)',\s*(?:async )?\(/g)].map((match) => match[1] ?? '');
}

describe('The requirements of MCP for a proxy', () => {
  it.each(entries)('%s has tests that exist', (_, { tests }) => {
    const missing = Object.entries(tests).flatMap(([file, titles]) => {
      const existing = listTitles(file);
      return titles.filter((title) => !existing.includes(title)).map((title) => `${file}: ${title}`);
    });
    expect(missing).toEqual([]);
    expect(Object.keys(tests).length).toBeGreaterThan(0);
  });

  it('name a section of the specification each', () => {
    const sources = entries.map(([, { source }]) => source);
    expect(sources.filter((source) => !/\/specification\/20\d\d-\d\d-\d\d\/basic/.test(source))).toEqual([]);
  });
});
