import { API_VERSION, type Resource } from '../resource.ts';
import type { ResourceObserver } from '../resource-store.ts';

/** A resource with the metadata that a cache reads. */
export const createResource = (name: string, resourceVersion: number | bigint, uid = `uid-of-${name}`): Resource => ({
  apiVersion: API_VERSION,
  kind: 'AIPolicy',
  metadata: {
    name,
    namespace: 'gatehouse',
    uid,
    resourceVersion: String(resourceVersion),
    generation: 1,
    creationTimestamp: '2026-01-31T12:00:00Z',
  },
  spec: {},
});

/** A store whose watch reports what the test reports to its observer. */
export class FakeWatch {
  observer: ResourceObserver | undefined;

  watch(observer: ResourceObserver, signal: AbortSignal): Promise<void> {
    this.observer = observer;
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  }
}

/** A change in the history of a store. */
interface HistoryEvent {
  readonly type: 'changed' | 'deleted';
  readonly resource: Resource;
}

/** A store with its whole history. Each write has the next version. */
export class FakeHistory {
  readonly events: HistoryEvent[] = [];
  readonly present = new Map<string, Resource>();

  get version(): number {
    return this.events.length;
  }

  /** Creates or changes a resource. @returns its new version */
  write(name: string): Resource {
    const uid = this.present.get(name)?.metadata.uid ?? `uid-${this.version + 1}`;
    const resource = createResource(name, this.version + 1, uid);
    this.present.set(name, resource);
    this.events.push({ type: 'changed', resource });
    return resource;
  }

  /** Deletes a resource. @returns the version that was deleted, or undefined without one */
  delete(name: string): Resource | undefined {
    const deleted = this.present.get(name);
    if (deleted === undefined) return undefined;
    this.present.delete(name);
    const resource = createResource(name, this.version + 1, deleted.metadata.uid);
    this.events.push({ type: 'deleted', resource });
    return deleted;
  }
}
