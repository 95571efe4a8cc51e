import type { Watch } from '@kubernetes/client-node';
import type { KubernetesObject } from './client.ts';

type EventHandler = Parameters<Watch['watch']>[2];
type EndHandler = Parameters<Watch['watch']>[3];

/** The parts of a watch that its informer supplies. */
export interface WatchHooks {
  /** Signal that ends all watches. */
  signal: AbortSignal;
  /** Maps an object of an event to the entry that the informer keeps. */
  createEntry: (object: KubernetesObject) => object;
  /** Called when the API opens a watch, and for every event. */
  onResponse: () => void;
}

/**
 * Puts three guarantees around a Watch of @kubernetes/client-node, whose informer relies on them:
 * an event without an object is ignored, a failure before the request is reported like every other
 * failure, and a watch that the API never opened ends as a failure. (The informer takes a
 * TimeoutError for a quiet watch and reconnects without a report.) Without the first two, one bad
 * event or one missing token file would end the process with an unhandled rejection.
 */
export function checkWatch(watch: Watch, { signal, createEntry: entryOf, onResponse: onAnswer }: WatchHooks): Watch {
  const open = watch.watch.bind(watch);
  watch.watch = async (path, query, onEvent, onEnd) => {
    const idle = new AbortController();
    if (signal.aborted) return idle;
    const state = { isOpen: false, hasEnded: false };
    const handleEvent: EventHandler = (type, object: unknown) => {
      if (!isObject(object)) return;
      onAnswer();
      onEvent(type, type === 'ERROR' ? object : entryOf(object));
    };
    const handleEnd: EndHandler = (error: unknown) => {
      state.hasEnded = true;
      const isUnanswered = !state.isOpen && (error as Error | null)?.name === 'TimeoutError';
      onEnd(isUnanswered ? new Error('the Kubernetes API does not answer', { cause: error }) : error);
    };
    try {
      const opened = await open(path, { ...query, allowWatchBookmarks: true }, handleEvent, handleEnd);
      state.isOpen = !state.hasEnded;
      if (state.isOpen) onAnswer();
      return opened;
    } catch (error) {
      handleEnd(error);
      return idle;
    }
  };
  return watch;
}

const isObject = (value: unknown): value is KubernetesObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
