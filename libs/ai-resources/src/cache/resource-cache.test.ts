import { describe, expect, it } from '@jest/globals';
import type { Resource } from '../resource.ts';
import type { WatchState } from '../resource-store.ts';
import { createResource, FakeWatch } from './fake-store.fixture.ts';
import { ResourceCache, type ResourceChange } from './resource-cache.ts';

/** Opens a cache that follows the observer. */
function open() {
  const watch = new FakeWatch();
  const reports = { states: [] as WatchState[], errors: [] as unknown[] };
  const cache = new ResourceCache<Resource>(watch, {
    onState: (state) => reports.states.push(state),
    onListenerError: (error) => reports.errors.push(error),
  });
  const changes: string[] = [];
  const describeVersion = (resource: Resource | undefined) => resource?.metadata.resourceVersion ?? 'none';
  cache.onChange(({ name, previous, current }: ResourceChange<Resource>) => {
    changes.push(`${name}: ${describeVersion(previous)} -> ${describeVersion(current)}`);
  });
  const stop = new AbortController();
  const done = cache.run(stop.signal);
  return { cache, observer: watch.observer!, changes, reports, stop, done };
}

const readNames = (cache: ResourceCache<Resource>) =>
  cache.values().map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);

describe('ResourceCache', () => {
  it('is synced after the first list, also when it is empty', async () => {
    const { cache, observer, stop, done } = open();
    expect([cache.isSynced, cache.state, cache.get('a')]).toEqual([false, undefined, undefined]);
    observer.onReplaced([], '0');
    expect([cache.isSynced, cache.size]).toEqual([true, 0]);
    stop.abort();
    await done;
  });

  it('follows the events, and reports each change once', () => {
    const { cache, observer, changes } = open();
    observer.onReplaced([createResource('b', 2), createResource('a', 1)], '3');
    observer.onChanged(createResource('a', 4));
    observer.onDeleted(createResource('b', 5));
    observer.onReplaced([createResource('a', 4), createResource('c', 6)], '6');
    expect(readNames(cache)).toEqual(['a 4', 'c 6']);
    expect(changes).toEqual(['a: none -> 1', 'b: none -> 2', 'a: 1 -> 4', 'b: 2 -> none', 'c: none -> 6']);
  });

  it('has the result of a write at once, and its event changes nothing', () => {
    const { cache, observer, changes } = open();
    observer.onReplaced([], '3');
    cache.put(createResource('a', 5));
    observer.onChanged(createResource('a', 4));
    observer.onChanged(createResource('a', 5));
    expect(readNames(cache)).toEqual(['a 5']);
    expect(changes).toEqual(['a: none -> 5']);
  });

  it('compares versions as numbers of any size', () => {
    const { cache, observer } = open();
    observer.onReplaced([createResource('a', 9)], '9');
    cache.put(createResource('a', 10));
    expect(readNames(cache)).toEqual(['a 10']);
    cache.put(createResource('a', 2n ** 70n + 1n));
    cache.put(createResource('a', 2n ** 70n));
    expect(readNames(cache)).toEqual([`a ${2n ** 70n + 1n}`]);
  });

  it('ignores a result that is older than a deletion that the watch has reported', () => {
    const { cache, observer } = open();
    observer.onReplaced([], '3');
    observer.onChanged(createResource('a', 4));
    observer.onDeleted(createResource('a', 5));
    cache.put(createResource('a', 4));
    expect(readNames(cache)).toEqual([]);
  });

  it('does not lose the result of a write by an older list', () => {
    const { cache, observer } = open();
    observer.onReplaced([createResource('b', 2)], '3');
    cache.put(createResource('a', 5));
    cache.put(createResource('b', 6));
    observer.onReplaced([createResource('b', 2)], '4');
    expect(readNames(cache)).toEqual(['a 5', 'b 6']);
    observer.onReplaced([], '7');
    expect(readNames(cache)).toEqual([]);
  });

  it('does not return a deleted resource by an older event or list', () => {
    const { cache, observer, changes } = open();
    observer.onReplaced([createResource('a', 2)], '3');
    cache.put(createResource('a', 5));
    cache.remove(createResource('a', 5).metadata);
    observer.onChanged(createResource('a', 4));
    observer.onReplaced([createResource('a', 5)], '5');
    cache.put(createResource('a', 5));
    expect(readNames(cache)).toEqual([]);
    observer.onDeleted(createResource('a', 6));
    observer.onChanged(createResource('a', 7, 'another uid'));
    expect(readNames(cache)).toEqual(['a 7']);
    expect(changes).toEqual(['a: none -> 2', 'a: 2 -> 5', 'a: 5 -> none', 'a: none -> 7']);
  });

  it('does not take a deleted resource that it has never seen', () => {
    const { cache, observer } = open();
    observer.onReplaced([], '3');
    cache.remove(createResource('a', 5).metadata);
    observer.onChanged(createResource('a', 4));
    observer.onChanged(createResource('a', 5));
    expect(readNames(cache)).toEqual([]);
  });

  it('keeps a new resource with the name of a deleted one', () => {
    const { cache, observer } = open();
    observer.onReplaced([createResource('a', 2, 'first')], '3');
    cache.remove(createResource('a', 2, 'first').metadata);
    cache.put(createResource('a', 5, 'second'));
    observer.onDeleted(createResource('a', 4, 'first'));
    expect(readNames(cache)).toEqual(['a 5']);
  });

  it('takes the list of a store that was restored from a backup', () => {
    const { cache, observer } = open();
    observer.onReplaced([createResource('a', 90), createResource('b', 91)], '95');
    cache.remove(createResource('b', 91).metadata);
    observer.onReplaced([createResource('a', 4), createResource('b', 3)], '5');
    observer.onChanged(createResource('a', 6));
    expect(readNames(cache)).toEqual(['a 6', 'b 3']);
  });

  it('keeps its resources while the store does not answer, and has the state', () => {
    const { cache, observer, reports } = open();
    observer.onReplaced([createResource('a', 1)], '1');
    const state: WatchState = { status: 'unreachable', problems: ['a.yaml is broken'] };
    observer.onState(state);
    expect([readNames(cache), cache.state, reports.states, cache.isSynced]).toEqual([['a 1'], state, [state], true]);
  });

  it('calls the other listeners and keeps the change when a listener fails', () => {
    const { cache, observer, changes, reports } = open();
    const failure = new Error('the listener failed');
    const end = cache.onChange(() => {
      throw failure;
    });
    const names: string[] = [];
    cache.onChange(({ name }) => names.push(name));
    observer.onReplaced([createResource('a', 1), createResource('b', 1)], '1');
    end();
    cache.put(createResource('a', 2));
    expect([names, changes.length, reports.errors]).toEqual([['a', 'b', 'a'], 3, [failure, failure]]);
  });

  it('reads a page of 500 out of 5,000 without reading the others', () => {
    const { cache, observer } = open();
    const count = 5_000;
    let reads = 0;
    const resources = Array.from({ length: count }, (_, at) => {
      const resource = createResource(`policy-${String(at).padStart(5, '0')}`, at);
      return new Proxy(resource, {
        get: (target, member) => {
          reads += 1;
          return Reflect.get(target, member) as unknown;
        },
      });
    });
    observer.onReplaced(resources, '5000');
    reads = 0;
    const page = cache.list({ after: 'policy-02499', limit: 500 });
    expect([page.items.length, page.hasMore, page.remainingItemCount, reads]).toEqual([500, true, 2_000, 0]);
    expect(page.items[0]?.metadata.name).toBe('policy-02500');
  });
});
