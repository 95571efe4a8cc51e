import { expect, it } from '@jest/globals';
import { catchStoreError, compareVersions, createPolicies, newPolicy } from './new-policy.ts';
import { FOREIGN_VERSIONS, type GetStores } from './test-stores.ts';

/** Defines the tests of `delete`. */
export function defineDeleteTests(getStores: GetStores): void {
  it('deletes the resource with this version', async () => {
    const { policies, replica } = getStores();
    const [created] = await createPolicies(policies, ['team-a', 'team-b']);
    await policies.delete('team-a', created!.metadata);
    expect(await replica.get('team-a')).toBeUndefined();
    expect((await policies.list()).items.map(({ metadata }) => metadata.name)).toEqual(['team-b']);
    expect((await catchStoreError(replica.delete('team-a', created!.metadata))).code).toBe('not_found');
    const patch = policies.patch('team-a', { spec: { description: 'b' } }, created!.metadata);
    expect((await catchStoreError(patch)).code).toBe('not_found');
  });

  it('refuses an earlier version, and keeps the resource', async () => {
    const { policies, replica } = getStores();
    const created = await policies.create(newPolicy('team-a'));
    const patched = await replica.patch('team-a', { spec: { description: 'b' } }, created.metadata);
    expect((await catchStoreError(policies.delete('team-a', created.metadata))).code).toBe('conflict');
    expect(await policies.get('team-a')).toEqual(patched);
  });

  it.each(FOREIGN_VERSIONS)('refuses the foreign version %j', async (resourceVersion) => {
    const created = await getStores().policies.create(newPolicy('team-a'));
    const error = await catchStoreError(getStores().policies.delete('team-a', { resourceVersion }));
    expect(error.code).toBe('conflict');
    expect(await getStores().policies.get('team-a')).toEqual(created);
  });

  it.each(['', '.', '..', '../aigateways', 'Team-A'])('does not find the invalid name %j', async (name) => {
    const [created] = await createPolicies(getStores().policies, ['team-a']);
    const error = await catchStoreError(getStores().policies.delete(name, created!.metadata));
    expect(error.code).toBe('not_found');
    expect((await getStores().policies.list()).items).toHaveLength(1);
  });

  it('lets a new resource with the name have another uid, a greater version and no status', async () => {
    const { policies } = getStores();
    const first = await policies.create(newPolicy('team-a', { description: 'first' }));
    const options = { ...first.metadata, subresource: 'status' } as const;
    const reported = await policies.patch('team-a', { status: { observedGeneration: 1 } }, options);
    await policies.delete('team-a', reported.metadata);
    const second = await policies.create(newPolicy('team-a'));
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
    expect(second.metadata.generation).toBe(1);
    expect([second.status, second.spec.description]).toEqual([undefined, undefined]);
    expect(compareVersions(reported, second)).toBeLessThan(0);
    expect((await catchStoreError(policies.delete('team-a', reported.metadata))).code).toBe('conflict');
  });

  it('lets one of several writers with the same version win', async () => {
    const { policies, replica } = getStores();
    const created = await policies.create(newPolicy('team-a'));
    const results = await Promise.allSettled([
      policies.delete('team-a', created.metadata),
      replica.patch('team-a', { spec: { description: 'b' } }, created.metadata),
      replica.delete('team-a', created.metadata),
      policies.patch('team-a', { spec: { description: 'c' } }, created.metadata),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
}
