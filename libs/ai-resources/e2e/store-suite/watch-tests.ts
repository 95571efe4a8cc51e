import { afterEach, expect, it } from '@jest/globals';
import type { AIPolicy } from '../../src/resource.ts';
import type { ResourceStore } from '../../src/resource-store.ts';
import { createPolicies, newPolicy } from './new-policy.ts';
import { RecordingObserver, waitUntil } from './recording-observer.ts';
import type { GetStores } from './test-stores.ts';

/** Defines the tests of `watch`. */
export function defineWatchTests(getStores: GetStores): void {
  const watches: { stop: AbortController; done: Promise<void> }[] = [];
  afterEach(async () => {
    for (const { stop } of watches) stop.abort();
    await Promise.all(watches.splice(0).map(({ done }) => done));
  });

  /** Starts a watch, and waits until it follows the store. */
  async function follow(store: ResourceStore<AIPolicy>): Promise<RecordingObserver<AIPolicy>> {
    const observer = new RecordingObserver<AIPolicy>();
    const stop = new AbortController();
    watches.push({ stop, done: store.watch(observer, stop.signal) });
    await waitUntil(
      () => observer.events.length > 0 && observer.states.at(-1)?.status === 'following',
      () => observer,
    );
    return observer;
  }

  it('reports all resources at first, also none', async () => {
    const { policies, replica } = getStores();
    const empty = await follow(policies);
    expect(empty.events[0]).toMatchObject({ type: 'replaced', resources: [] });
    const created = await createPolicies(policies, ['a', 'b']);
    const full = await follow(replica);
    expect(full.events[0]).toMatchObject({ type: 'replaced', resources: created });
    expect(full.states).toEqual([{ status: 'following', problems: [] }]);
  });

  it('reports writes of this store and of others, as the writers received them', async () => {
    const { policies, replica } = getStores();
    const observer = await follow(policies);
    const created = await policies.create(newPolicy('a'));
    const patched = await replica.patch('a', { spec: { description: 'b' } }, created.metadata);
    const options = { ...patched.metadata, subresource: 'status' } as const;
    const reported = await policies.patch('a', { status: { observedGeneration: 2 } }, options);
    await replica.delete('a', reported.metadata);
    await waitUntil(
      () => observer.events.at(-1)?.type === 'deleted',
      () => observer.events,
    );
    const changes = observer.events.flatMap((event) => (event.type === 'changed' ? [event.resource] : []));
    // A watch may leave out a version that a later one has replaced.
    expect([created, patched, reported]).toEqual(expect.arrayContaining(changes));
    const last = observer.events.at(-1) as { resource: AIPolicy };
    expect(last.resource).toMatchObject({ metadata: { name: 'a', uid: created.metadata.uid }, spec: patched.spec });
  });

  it('reports in the order of the versions, also deletions', async () => {
    const { policies, replica } = getStores();
    const observer = await follow(policies);
    for (let round = 0; round < 5; round += 1) {
      const [a] = await createPolicies(policies, ['a', 'b']);
      const changed = await replica.patch('a', { spec: { description: String(round) } }, a!.metadata);
      await policies.delete('b', (await replica.get('b'))!.metadata);
      await replica.delete('a', changed.metadata);
    }
    const end = await policies.create(newPolicy('end'));
    await waitUntil(
      () => observer.describe('end').length > 0,
      () => observer.events,
    );
    const versions = observer.events.map((event) =>
      BigInt(event.type === 'replaced' ? event.resourceVersion : event.resource.metadata.resourceVersion),
    );
    expect(versions).toEqual([...new Set(versions)].sort((one, other) => (one < other ? -1 : 1)));
    expect(versions.at(-1)).toBe(BigInt(end.metadata.resourceVersion));
  });

  it('reports a new resource with the name of a deleted one', async () => {
    const { policies, replica } = getStores();
    const first = await policies.create(newPolicy('a'));
    const observer = await follow(replica);
    await policies.delete('a', first.metadata);
    const second = await policies.create(newPolicy('a'));
    await waitUntil(
      () => observer.describe('a').some((event) => event.includes(second.metadata.uid)),
      () => observer.events,
    );
    const uids = observer.describe('a').map((event) => `${event.split(' ')[0]} ${event.split(' ')[2]}`);
    expect(uids).toEqual([`deleted ${first.metadata.uid}`, `changed ${second.metadata.uid}`]);
  });

  it('follows several observers, and ends with their signals', async () => {
    const { policies } = getStores();
    const [one, other] = [await follow(policies), await follow(policies)];
    watches[0]!.stop.abort();
    await watches[0]!.done;
    const seen = one.events.length;
    await policies.create(newPolicy('a'));
    await waitUntil(
      () => other.describe('a').length > 0,
      () => other.events,
    );
    expect(one.events).toHaveLength(seen);
  });

  it('does not start with an aborted signal', async () => {
    const observer = new RecordingObserver<AIPolicy>();
    await getStores().policies.watch(observer, AbortSignal.abort());
    expect([observer.events, observer.states]).toEqual([[], []]);
  });

  it('starts again after an error of the observer', async () => {
    const { policies } = getStores();
    const observer = new RecordingObserver<AIPolicy>();
    const record = observer.onChanged.bind(observer);
    let hasFailed = false;
    observer.onChanged = (policy) => {
      if (!hasFailed) {
        hasFailed = true;
        throw new Error('the observer failed');
      }
      record(policy);
    };
    const stop = new AbortController();
    watches.push({ stop, done: policies.watch(observer, stop.signal) });
    await waitUntil(
      () => observer.states.at(-1)?.status === 'following',
      () => observer,
    );
    const created = await policies.create(newPolicy('a'));
    await waitUntil(
      () => observer.events.filter(({ type }) => type === 'replaced').length > 1,
      () => observer.events,
    );
    expect(observer.events.at(-1)).toMatchObject({ type: 'replaced', resources: [created] });
  });
}
