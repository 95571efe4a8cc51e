import type { Watch } from '@kubernetes/client-node';
import { describe, expect, it } from '@jest/globals';
import { checkWatch } from './checked-watch.ts';

type Open = Watch['watch'];

/**
 * Opens a checked watch whose original is the function.
 * @param failure of the hook for events
 * @returns the calls of its handlers
 */
async function openChecked(original: Open, signal = new AbortController().signal, failure?: Error) {
  const calls = { events: [] as unknown[][], hooks: [] as unknown[][], ends: [] as unknown[], answers: 0 };
  const watch = checkWatch({ watch: original } as unknown as Watch, {
    signal,
    createEntry: (object) => ({ entry: object['name'] }),
    onResponse: () => (calls.answers += 1),
    onEvent: (...event) => {
      if (failure) throw failure;
      calls.hooks.push(event);
    },
  });
  const opened = await watch.watch(
    '/api/v1/services',
    { resourceVersion: '7' },
    (...event: unknown[]) => void calls.events.push(event),
    (error: unknown) => void calls.ends.push(error),
  );
  return { calls, opened };
}

describe('checkWatch', () => {
  it('maps objects of events, and asks for bookmarks', async () => {
    let query: unknown;
    const { calls } = await openChecked((_, asked, onEvent) => {
      query = asked;
      onEvent('ADDED', { name: 'a' });
      onEvent('ERROR', { code: 410 });
      return Promise.resolve(new AbortController());
    });
    expect(query).toEqual({ resourceVersion: '7', allowWatchBookmarks: true });
    expect(calls).toEqual({
      events: [
        ['ADDED', { entry: 'a' }],
        ['ERROR', { code: 410 }],
      ],
      hooks: [['ADDED', { entry: 'a' }]],
      ends: [],
      answers: 3,
    });
  });

  it.each([undefined, null, 7, 'text', []])('ignores an event with the object %j', async (object) => {
    const { calls } = await openChecked((_, __, onEvent) => {
      onEvent('ADDED', object);
      return Promise.resolve(new AbortController());
    });
    expect(calls.events).toEqual([]);
  });

  it('does not report bookmarks, and ignores events after the end and after the signal', async () => {
    const stop = new AbortController();
    const { calls } = await openChecked((_, __, onEvent, onEnd) => {
      onEvent('BOOKMARK', { name: 'a' });
      onEnd(null);
      onEvent('ADDED', { name: 'b' });
      return Promise.resolve(new AbortController());
    }, stop.signal);
    const aborted = await openChecked((_, __, onEvent) => {
      stop.abort();
      onEvent('ADDED', { name: 'c' });
      return Promise.resolve(new AbortController());
    }, stop.signal);
    expect([calls.events, calls.hooks]).toEqual([[['BOOKMARK', { entry: 'a' }]], []]);
    expect(aborted.calls.events).toEqual([]);
  });

  it('ends the watch when a hook fails', async () => {
    const failure = new Error('the hook failed');
    const { calls } = await openChecked(
      (_, __, onEvent) => {
        onEvent('ADDED', { name: 'a' });
        return Promise.resolve(new AbortController());
      },
      new AbortController().signal,
      failure,
    );
    expect(calls.ends).toEqual([failure]);
  });

  it('reports a failure before the request as the end of the watch', async () => {
    const failure = new Error('ENOENT: the token file');
    const { calls } = await openChecked(() => Promise.reject(failure));
    expect(calls).toEqual({ events: [], hooks: [], ends: [failure], answers: 0 });
  });

  it('reports a watch that was never opened as a failure', async () => {
    const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    const { calls } = await openChecked((_, __, ___, onEnd) => {
      onEnd(timeout);
      return Promise.resolve(new AbortController());
    });
    expect(calls.ends).toEqual([new Error('the Kubernetes API does not answer', { cause: timeout })]);
    expect(calls.answers).toBe(0);
  });

  it('passes on the timeout of a quiet watch', async () => {
    const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    let end: (error: unknown) => void = () => undefined;
    const { calls } = await openChecked((_, __, ___, onEnd) => {
      end = onEnd;
      return Promise.resolve(new AbortController());
    });
    end(timeout);
    expect(calls).toEqual({ events: [], hooks: [], ends: [timeout], answers: 1 });
  });

  it('opens nothing after the signal has aborted', async () => {
    const { calls } = await openChecked(() => Promise.reject(new Error('opened')), AbortSignal.abort());
    expect(calls).toEqual({ events: [], hooks: [], ends: [], answers: 0 });
  });
});
