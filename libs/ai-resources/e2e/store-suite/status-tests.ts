import { expect, it } from '@jest/globals';
import { catchStoreError, compareVersions, fullPolicy, listFields, newPolicy } from './new-policy.ts';
import type { GetStores } from './test-stores.ts';

const CONDITION = {
  type: 'Accepted',
  status: 'True',
  reason: 'Accepted',
  message: 'The gateway exists.',
  lastTransitionTime: '2026-01-31T12:00:00Z',
  observedGeneration: 1,
};
const STATUS = { observedGeneration: 1, appliedToSecurityPolicy: '', conditions: [CONDITION] };

/** Defines the tests of `patch` with the subresource `status`. */
export function defineStatusTests(getStores: GetStores): void {
  const patchStatus = (status: unknown, { resourceVersion }: { resourceVersion: string }, more: object = {}) =>
    getStores().policies.patch('team-a', { ...more, status }, { resourceVersion, subresource: 'status' });

  it('changes the status and the version alone', async () => {
    const created = await getStores().policies.create(fullPolicy('team-a'));
    const patched = await patchStatus(STATUS, created.metadata, { spec: { description: 'ignored' } });
    const { resourceVersion } = patched.metadata;
    expect(patched).toEqual({ ...created, metadata: { ...created.metadata, resourceVersion }, status: STATUS });
    expect(compareVersions(created, patched)).toBeLessThan(0);
    expect(await getStores().replica.get('team-a')).toEqual(patched);
  });

  it('stays when the spec changes, and while labels change', async () => {
    const created = await getStores().policies.create(newPolicy('team-a'));
    const reported = await patchStatus(STATUS, created.metadata);
    const patch = { spec: { description: 'b' }, metadata: { labels: { team: 'b' } } };
    const patched = await getStores().policies.patch('team-a', patch, reported.metadata);
    expect([patched.status, patched.metadata.generation]).toEqual([STATUS, 2]);
  });

  it('keeps the version when nothing changes', async () => {
    const created = await getStores().policies.create(newPolicy('team-a'));
    const reported = await patchStatus(STATUS, created.metadata);
    expect(await patchStatus(STATUS, reported.metadata)).toEqual(reported);
  });

  it('deletes members that are null', async () => {
    const created = await getStores().policies.create(newPolicy('team-a'));
    const reported = await patchStatus(STATUS, created.metadata);
    const emptied = await patchStatus({ conditions: null, appliedToSecurityPolicy: null }, reported.metadata);
    expect(emptied.status).toEqual({ observedGeneration: 1 });
  });

  it('refuses an earlier version', async () => {
    const created = await getStores().policies.create(newPolicy('team-a'));
    await getStores().replica.patch('team-a', { spec: { description: 'b' } }, created.metadata);
    expect((await catchStoreError(patchStatus(STATUS, created.metadata))).code).toBe('conflict');
  });

  it.each<[object, string[]]>([
    [{ observedGeneration: 'one' }, ['/status/observedGeneration']],
    [{ unknown: 1 }, ['/status/unknown']],
    [{ conditions: [{ ...CONDITION, status: 'maybe' }] }, ['/status/conditions/0/status']],
  ])('refuses the invalid status %j', async (status, fields) => {
    const created = await getStores().policies.create(newPolicy('team-a'));
    const error = await catchStoreError(patchStatus(status, created.metadata));
    expect([error.code, listFields(error)]).toEqual(['invalid', fields]);
    expect(await getStores().policies.get('team-a')).toEqual(created);
  });
}
