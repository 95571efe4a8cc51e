import { expect, it } from '@jest/globals';
import { catchStoreError, compareVersions, createPolicies, fullPolicy, listFields, newPolicy } from './new-policy.ts';
import { FOREIGN_VERSIONS, type GetStores } from './test-stores.ts';

/** Defines the tests of `patch`. */
export function definePatchTests(getStores: GetStores): void {
  it('merges objects, replaces lists, and deletes members that are null', async () => {
    const created = await getStores().policies.create(fullPolicy('team-a'));
    const spec = {
      description: null,
      mcpPolicy: null,
      principalMatchers: [{ claims: { sub: 'alice' } }],
      budgets: [{ name: 'other', models: ['*'] }],
    };
    const patched = await getStores().policies.patch('team-a', { spec }, created.metadata);
    expect(patched.spec).toEqual({
      gatewayRef: created.spec.gatewayRef,
      principalMatchers: spec.principalMatchers,
      budgets: spec.budgets,
    });
    expect(await getStores().replica.get('team-a')).toEqual(patched);
  });

  it('merges nested objects member by member', async () => {
    const created = await getStores().policies.create(newPolicy('team-a', { mcpPolicy: { servers: ['a'] } }));
    const kept = await getStores().policies.patch('team-a', { spec: { mcpPolicy: {} } }, created.metadata);
    expect(kept.spec.mcpPolicy).toEqual({ servers: ['a'] });
    const emptied = await getStores().policies.patch(
      'team-a',
      { spec: { mcpPolicy: { servers: null } } },
      kept.metadata,
    );
    expect(emptied.spec.mcpPolicy).toEqual({});
  });

  it('increments version and generation for a change of the spec, and keeps uid and creation time', async () => {
    const created = await getStores().policies.create(fullPolicy('team-a'));
    const patched = await getStores().policies.patch('team-a', { spec: { description: 'b' } }, created.metadata);
    expect(compareVersions(created, patched)).toBeLessThan(0);
    const { resourceVersion } = patched.metadata;
    expect(patched.metadata).toEqual({ ...created.metadata, resourceVersion, generation: 2 });
  });

  it('patches labels and annotations, and keeps the generation', async () => {
    const created = await getStores().policies.create(fullPolicy('team-a'));
    const metadata = { labels: { team: null, cost: 'x' }, annotations: { 'example.com/other': 'y' } };
    const patched = await getStores().policies.patch('team-a', { metadata }, created.metadata);
    expect(patched.metadata).toMatchObject({
      labels: { cost: 'x' },
      annotations: { 'example.com/note': 'any text', 'example.com/other': 'y' },
      generation: 1,
    });
    expect(patched.metadata.labels).not.toHaveProperty('team');
    expect(compareVersions(created, patched)).toBeLessThan(0);
  });

  it.each([
    [{}],
    [{ spec: {} }],
    [{ spec: { description: 'Models of team A' } }],
    [{ metadata: { labels: { team: 'a' } } }],
  ])('keeps the version with the patch %j, which changes nothing', async (patch) => {
    const created = await getStores().policies.create(fullPolicy('team-a'));
    expect(await getStores().policies.patch('team-a', patch, created.metadata)).toEqual(created);
  });

  it('ignores the status', async () => {
    const created = await getStores().policies.create(newPolicy('team-a'));
    const patch = { spec: { description: 'b' }, status: { observedGeneration: 9 } };
    const patched = await getStores().policies.patch('team-a', patch, created.metadata);
    expect(patched).not.toHaveProperty('status.observedGeneration');
  });

  it('refuses an earlier version, and changes nothing', async () => {
    const created = await getStores().policies.create(newPolicy('team-a'));
    const patched = await getStores().replica.patch('team-a', { spec: { description: 'b' } }, created.metadata);
    const late = getStores().policies.patch('team-a', { spec: { description: 'c' } }, created.metadata);
    expect((await catchStoreError(late)).code).toBe('conflict');
    expect(await getStores().policies.get('team-a')).toEqual(patched);
  });

  it.each(FOREIGN_VERSIONS)('refuses the foreign version %j', async (resourceVersion) => {
    await createPolicies(getStores().policies, ['team-a']);
    const patch = { spec: { description: 'b' } };
    const error = await catchStoreError(getStores().policies.patch('team-a', patch, { resourceVersion }));
    expect(error.code).toBe('conflict');
    const missing = await catchStoreError(getStores().policies.patch('missing', patch, { resourceVersion }));
    expect(missing.code).toBe('not_found');
  });

  it('refuses a version with leading zeros', async () => {
    const [created] = await createPolicies(getStores().policies, ['team-a']);
    const resourceVersion = `0${created!.metadata.resourceVersion}`;
    const patch = { spec: { description: 'b' } };
    const error = await catchStoreError(getStores().policies.patch('team-a', patch, { resourceVersion }));
    expect(error.code).toBe('conflict');
  });

  it('lets one of several writers with the same version win', async () => {
    const { policies, replica } = getStores();
    const created = await policies.create(newPolicy('team-a'));
    const attempts = Array.from({ length: 8 }, (_, at) =>
      (at % 2 === 0 ? policies : replica).patch('team-a', { spec: { description: String(at) } }, created.metadata),
    );
    const results = await Promise.allSettled(attempts);
    const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
    );
    expect([winners.length, new Set(codes)]).toEqual([1, new Set(['conflict'])]);
    expect(await policies.get('team-a')).toEqual(winners[0]);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string[]]>([
    ['deletes a required member', { principalMatchers: null }, ['/spec/principalMatchers']],
    ['has a wrong type', { description: ['a'] }, ['/spec/description']],
    ['has an unknown member', { money: 7 }, ['/spec/money']],
    ['changes the gateway', { gatewayRef: { name: 'other' } }, ['/spec/gatewayRef']],
  ])('refuses a patch that %s, and changes nothing', async (_, spec, fields) => {
    const created = await getStores().policies.create(fullPolicy('team-a'));
    const error = await catchStoreError(getStores().policies.patch('team-a', { spec }, created.metadata));
    expect([error.code, listFields(error)]).toEqual(['invalid', fields]);
    expect(await getStores().policies.get('team-a')).toEqual(created);
  });

  it('does not find a resource that does not exist', async () => {
    const patch = getStores().policies.patch('missing', { spec: { description: 'b' } }, { resourceVersion: '1' });
    expect((await catchStoreError(patch)).code).toBe('not_found');
  });

  it('stores texts of all scripts as they are', async () => {
    const created = await getStores().policies.create(newPolicy('team-a'));
    const description = 'Ünïcödé 漢字 🙂 \u2028 "quotes" \\ # : - {a: b}\n\tsecond line \u0000 end';
    const patched = await getStores().policies.patch('team-a', { spec: { description } }, created.metadata);
    expect(patched.spec.description).toBe(description);
    expect((await getStores().replica.get('team-a'))?.spec.description).toBe(description);
  });
}
