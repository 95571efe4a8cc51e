import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirements } from './mcp.requirements.ts';

const folder = join(import.meta.dirname, '../../e2e');

/** The ids in `verifies([…]` of the tests over HTTP. */
function citedIds(): Set<string> {
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const lists = texts.flatMap((text) =>
    [...text.matchAll(/verifies\(\s*\[([^\]]+)\]/g)].map((match) => match[1] ?? ''),
  );
  return new Set(lists.flatMap((list) => [...list.matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '')));
}

describe('requirements', () => {
  const cited = citedIds();

  it.each(Object.keys(requirements))('%s has a test over HTTP', (id) => {
    expect([...cited]).toContain(id);
  });

  it('contain every id that a test cites', () => {
    expect([...cited].filter((id) => !(id in requirements))).toEqual([]);
  });
});
