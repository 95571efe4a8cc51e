import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createResource } from './fake-store.fixture.ts';
import { SortedResources } from './sorted-resources.ts';

const createSorted = (names: readonly string[]) => {
  const sorted = new SortedResources();
  for (const name of names) sorted.set(createResource(name, 1));
  return sorted;
};
const listNames = ({ items }: { items: readonly { metadata: { name: string } }[] }) =>
  items.map(({ metadata }) => metadata.name);

const anyName = fc.stringMatching(/^[a-c0-1]([-.a-c]{0,3}[a-c])?$/);

describe('SortedResources', () => {
  it('has the order of the bytes of the names after any writes', () => {
    const anyWrite = fc.record({ name: anyName, isDeletion: fc.boolean() });
    fc.assert(
      fc.property(fc.array(anyName), fc.array(anyWrite), (first, writes) => {
        const sorted = new SortedResources();
        const expected = new Set(first);
        sorted.replace(first.map((name) => createResource(name, 1)));
        for (const { name, isDeletion } of writes) {
          if (isDeletion) {
            sorted.delete(name);
            expected.delete(name);
          } else {
            sorted.set(createResource(name, 2));
            expected.add(name);
          }
        }
        const names = [...expected].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
        expect(listNames({ items: sorted.values() })).toEqual(names);
        expect(sorted.size).toBe(names.length);
      }),
    );
  });

  it('has pages that contain each resource once', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName), fc.integer({ min: 1, max: 4 }), fc.boolean(), (names, limit, isFiltered) => {
        const sorted = createSorted(names);
        const matches = isFiltered ? ({ metadata }: { metadata: { name: string } }) => metadata.name < 'b' : undefined;
        const found: string[] = [];
        for (let after: string | undefined, hasMore = true; hasMore; after = found.at(-1)) {
          const page = sorted.list({ after, limit, matches });
          found.push(...listNames(page));
          hasMore = page.hasMore;
          const remaining = isFiltered ? undefined : names.length - found.length;
          expect(page.remainingItemCount).toBe(remaining);
        }
        expect(found).toEqual([...names].sort().filter((name) => !isFiltered || name < 'b'));
      }),
    );
  });

  it('begins after a name that does not exist any more', () => {
    const sorted = createSorted(['a', 'b', 'c', 'd']);
    sorted.delete('b');
    expect(listNames(sorted.list({ after: 'b', limit: 1 }))).toEqual(['c']);
    expect(sorted.list({ after: 'd', limit: 1 })).toEqual({ items: [], hasMore: false, remainingItemCount: 0 });
  });
});
