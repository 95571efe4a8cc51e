import { describe, expect, it } from '@jest/globals';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';
import { cutLargePage, MAX_PAGE_LENGTH } from './page-size.ts';

const createPolicy = (name: string, length: number): AIPolicy => ({
  apiVersion: 'gatehouse.dev/v1alpha1',
  kind: 'AIPolicy',
  metadata: {
    name,
    namespace: 'team-a',
    uid: name,
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    annotations: { note: 'x'.repeat(length) },
  },
  spec: { gatewayRef: { name: 'local' }, principalMatchers: [{ claims: { groups: 'a' } }] },
});
const createPolicies = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => createPolicy(`policy-${at}`, length));

describe('cutLargePage', () => {
  it('keeps a page that is small enough', () => {
    const page = { items: createPolicies(500, 1_000), hasMore: true, remainingItemCount: 7 };
    expect(cutLargePage(page)).toBe(page);
  });

  it.each([
    [7, 7 + 6],
    [undefined, undefined],
  ])('leaves out the last policies of a large page with %s policies after it', (remaining, expected) => {
    const items = createPolicies(13, MAX_PAGE_LENGTH / 8);
    const page = cutLargePage({ items, hasMore: remaining !== undefined, remainingItemCount: remaining });
    expect(page).toEqual({ items: items.slice(0, 7), hasMore: true, remainingItemCount: expected });
  });

  it('keeps the first policy of a page at any size', () => {
    const items = createPolicies(2, MAX_PAGE_LENGTH);
    expect(cutLargePage({ items, hasMore: false, remainingItemCount: 0 })).toEqual({
      items: items.slice(0, 1),
      hasMore: true,
      remainingItemCount: 1,
    });
  });
});
