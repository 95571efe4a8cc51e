import { expect, it } from '@jest/globals';
import type { AIPolicy } from '../../src/resource.ts';
import type { ListOptions, ResourcePage, ResourceStore } from '../../src/resource-store.ts';
import { catchStoreError, createPolicies, newPolicy } from './new-policy.ts';
import type { GetStores } from './test-stores.ts';

const listNames = ({ items }: ResourcePage<AIPolicy>): string[] => items.map(({ metadata }) => metadata.name);

/** Reads all pages. */
async function readPages(store: ResourceStore<AIPolicy>, options: ListOptions): Promise<ResourcePage<AIPolicy>[]> {
  const pages = [await store.list(options)];
  for (let next = pages[0]?.continue; next !== undefined; next = pages.at(-1)?.continue)
    pages.push(await store.list({ ...options, continue: next }));
  return pages;
}

/** Defines the tests of `list`. */
export function defineListTests(getStores: GetStores): void {
  it('returns an empty page with a version', async () => {
    const page = await getStores().policies.list();
    expect(page).toEqual({ items: [], resourceVersion: expect.stringMatching(/^\d+$/) });
  });

  it('sorts by the bytes of the names', async () => {
    await createPolicies(getStores().policies, ['b', 'a.b', 'ab', 'a', 'a-b', 'a1', '1']);
    const page = await getStores().replica.list();
    expect(listNames(page)).toEqual(['1', 'a', 'a-b', 'a.b', 'a1', 'ab', 'b']);
  });

  it('returns the resources as get does, at a version that contains them', async () => {
    const created = await createPolicies(getStores().policies, ['a', 'b']);
    const { items, resourceVersion } = await getStores().policies.list();
    expect(items).toEqual(created);
    for (const { metadata } of items) expect(BigInt(resourceVersion) >= BigInt(metadata.resourceVersion)).toBe(true);
  });

  it('returns pages, and the number of resources after each', async () => {
    await createPolicies(getStores().policies, ['a', 'b', 'c', 'd', 'e']);
    const pages = await readPages(getStores().policies, { limit: 2 });
    expect(pages.map(listNames)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(pages.map(({ remainingItemCount }) => remainingItemCount)).toEqual([3, 1, undefined]);
    expect(pages.at(-1)).not.toHaveProperty('continue');
  });

  it('returns no next page when the last one is full', async () => {
    await createPolicies(getStores().policies, ['a', 'b']);
    const page = await getStores().policies.list({ limit: 2 });
    expect([listNames(page), page.continue, page.remainingItemCount]).toEqual([['a', 'b'], undefined, undefined]);
  });

  it('has each resource that stays once, while others are written between the pages', async () => {
    const { policies, replica } = getStores();
    const created = await createPolicies(policies, ['b', 'd', 'f', 'h', 'j']);
    const first = await policies.list({ limit: 2 });
    await createPolicies(replica, ['a', 'c', 'g']);
    await replica.delete('b', created[0]!.metadata);
    const second = await policies.list({ limit: 2, continue: first.continue! });
    await createPolicies(replica, ['e', 'i']);
    const third = await policies.list({ limit: 10, continue: second.continue! });
    const names = [first, second, third].flatMap(listNames).filter((name) => 'dfhj'.includes(name));
    expect(names).toEqual(['d', 'f', 'h', 'j']);
  });

  it('returns 500 resources by default', async () => {
    const names = Array.from({ length: 502 }, (_, at) => `policy-${String(at).padStart(4, '0')}`);
    for (let start = 0; start < names.length; start += 50)
      await Promise.all(names.slice(start, start + 50).map((name) => getStores().policies.create(newPolicy(name))));
    const pages = await readPages(getStores().policies, {});
    expect(pages.map(({ items, remainingItemCount }) => [items.length, remainingItemCount])).toEqual([
      [500, 2],
      [2, undefined],
    ]);
    expect(pages.flatMap(listNames)).toEqual(names);
  });

  it.each<[string, string[]]>([
    ['team=a', ['a']],
    ['team==a', ['a']],
    ['team!=a', ['b', 'c']],
    ['team', ['a', 'b']],
    ['!team', ['c']],
    ['team in (a, b)', ['a', 'b']],
    ['team notin (a)', ['b', 'c']],
    ['team=b,example.com/tier=1', ['b']],
    ['team=', []],
    ['', ['a', 'b', 'c']],
  ])('selects by the labels %j', async (labelSelector, names) => {
    const { policies } = getStores();
    await policies.create({ ...newPolicy('a'), metadata: { name: 'a', labels: { team: 'a' } } });
    await policies.create({
      ...newPolicy('b'),
      metadata: { name: 'b', labels: { team: 'b', 'example.com/tier': '1' } },
    });
    await policies.create(newPolicy('c'));
    expect(listNames(await policies.list({ labelSelector }))).toEqual(names);
  });

  it('returns pages of selected resources without a number of remaining ones', async () => {
    const labels = { team: 'a' };
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await getStores().policies.create({ ...newPolicy(name), metadata: name === 'c' ? { name } : { name, labels } });
    const pages = await readPages(getStores().policies, { limit: 2, labelSelector: 'team=a' });
    expect(pages.flatMap(listNames)).toEqual(['a', 'b', 'd', 'e']);
    expect(pages.map(({ remainingItemCount }) => remainingItemCount)).toEqual(pages.map(() => undefined));
  });

  it.each(['team in (', 'team=not a value', '=a', 'team in a', 'a b', ',,'])(
    'refuses the invalid selector %j',
    async (labelSelector) => {
      const error = await catchStoreError(getStores().policies.list({ labelSelector }));
      expect(error.code).toBe('invalid_selector');
    },
  );

  it('refuses an expired token', async () => {
    await createPolicies(getStores().policies, ['a', 'b', 'c']);
    const page = await getStores().policies.list({ limit: 1 });
    await getStores().expireTokens();
    const error = await catchStoreError(getStores().policies.list({ limit: 1, continue: page.continue! }));
    expect(error.code).toBe('expired');
  });

  it.each(['abc', 'eyJhIjoxfQ', '!', '%00'])('refuses the invalid token %j', async (token) => {
    await createPolicies(getStores().policies, ['a', 'b']);
    const error = await catchStoreError(getStores().policies.list({ limit: 1, continue: token }));
    expect(error.code).toBe('expired');
  });
}
