import type { Watch } from '@kubernetes/client-node';
import type { KubernetesObject } from './client.ts';

type EventHandler = Parameters<Watch['watch']>[2];
type EndHandler = Parameters<Watch['watch']>[3];

/** The parts of a watch that its informer supplies. */
export interface WatchHooks<Entry extends object> {
  /** Signal that ends all watches. */
  signal: AbortSignal;
  /** Maps an object of an event to the entry that the informer keeps. */
  createEntry: (object: KubernetesObject) => Entry;
  /** Called when the API opens a watch, and for every event. */
  onResponse: () => void;
  /** Called after the informer has handled an event about an object. */
  onEvent: (type: string, entry: Entry) => void;
}

/**
 * Puts guarantees around a Watch of @kubernetes/client-node, whose informer relies on them:
 *
 * - An event without an object, and an event after the end of the watch, are ignored.
 * - A failure before the request, and a failure of a hook, end the watch like every other failure.
 * - A watch that the API never opened ends as a failure. The informer takes a TimeoutError for a
 *   quiet watch and reconnects without a report.
 *
 * Without them, one bad event or one missing token file would end the process with an unhandled
 * rejection, and the library would ignore an event whose hook failed.
 */
export function checkWatch<Entry extends object>(watch: Watch, hooks: WatchHooks<Entry>): Watch {
  const { signal, onResponse } = hooks;
  const open = watch.watch.bind(watch);
  watch.watch = async (path, query, onEvent, onEnd) => {
    const idle = new AbortController();
    if (signal.aborted) return idle;
    const state = { isOpen: false, hasEnded: false };
    const handleEnd: EndHandler = (error: unknown) => {
      state.hasEnded = true;
      const isUnanswered = !state.isOpen && (error as Error | null)?.name === 'TimeoutError';
      onEnd(isUnanswered ? new Error('the Kubernetes API does not answer', { cause: error }) : error);
    };
    const handleEvent: EventHandler = (type, object: unknown) => {
      if (!isObject(object) || signal.aborted || state.hasEnded) return;
      try {
        passEvent(type, object, onEvent, hooks);
      } catch (error) {
        handleEnd(error);
      }
    };
    try {
      const opened = await open(path, { ...query, allowWatchBookmarks: true }, handleEvent, handleEnd);
      state.isOpen = !state.hasEnded;
      if (state.isOpen) onResponse();
      return opened;
    } catch (error) {
      handleEnd(error);
      return idle;
    }
  };
  return watch;
}

function passEvent<Entry extends object>(
  type: string,
  object: KubernetesObject,
  onEvent: EventHandler,
  hooks: WatchHooks<Entry>,
): void {
  hooks.onResponse();
  if (type === 'ERROR') {
    onEvent(type, object);
    return;
  }
  const entry = hooks.createEntry(object);
  onEvent(type, entry);
  if (type !== 'BOOKMARK') hooks.onEvent(type, entry);
}

const isObject = (value: unknown): value is KubernetesObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
