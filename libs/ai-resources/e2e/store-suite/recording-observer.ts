import { setTimeout as sleep } from 'node:timers/promises';
import type { Resource } from '../../src/resource.ts';
import type { ResourceObserver, WatchState } from '../../src/resource-store.ts';

/** One call of an observer. */
export type RecordedEvent<T extends Resource> =
  { type: 'replaced'; resources: readonly T[]; resourceVersion: string } | { type: 'changed' | 'deleted'; resource: T };

/** Records what a watch reports. */
export class RecordingObserver<T extends Resource> implements ResourceObserver<T> {
  readonly events: RecordedEvent<T>[] = [];
  readonly states: WatchState[] = [];

  onReplaced(resources: readonly T[], resourceVersion: string): void {
    this.events.push({ type: 'replaced', resources, resourceVersion });
  }

  onChanged(resource: T): void {
    this.events.push({ type: 'changed', resource });
  }

  onDeleted(resource: T): void {
    this.events.push({ type: 'deleted', resource });
  }

  onState(state: WatchState): void {
    this.states.push(state);
  }

  /** Changes and deletions of a resource, as `<type> <resourceVersion> <uid>`. */
  describe(name: string): string[] {
    return this.events.flatMap((event) =>
      event.type !== 'replaced' && event.resource.metadata.name === name
        ? [`${event.type} ${event.resource.metadata.resourceVersion} ${event.resource.metadata.uid}`]
        : [],
    );
  }
}

/** Waits until the condition holds. @throws Error with what was seen after 30 s */
export async function waitUntil(condition: () => boolean, seen: () => unknown): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`seen: ${JSON.stringify(seen())}`);
    await sleep(10);
  }
}
