import { ResourceCache } from '@gatehouse/ai-resources/resource-cache';
import type { Resource } from '@gatehouse/ai-resources/resource';
import type { ResourceStore } from '@gatehouse/ai-resources/resource-store';
import type { Log } from '@gatehouse/service-kit/log';
import { type CacheState, describeProblems, explainMissingResources, type KindDescription } from './cache-state.ts';
import { WatchLog } from './watch-log.ts';

/**
 * The resources of one kind in the namespace: writes go to the store, reads come from the cache.
 */
export class CachedResources<T extends Resource> {
  readonly cache: ResourceCache<T>;
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly store: ResourceStore<T>,
    private readonly description: KindDescription,
    log: Log,
  ) {
    const watchLog = new WatchLog(description.kind, log);
    this.cache = new ResourceCache(store, {
      onState: (state) => {
        watchLog.report(state);
        this.notify();
      },
      onListenerError: (error) => log.error({ err: error }, 'a change of a resource was not handled'),
    });
    this.cache.onChange(() => this.notify());
  }

  /** Calls back after each change of a resource, and of the state of the watch. */
  onUpdate(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Why the resources cannot be used now, as a sentence for callers; undefined if they can. */
  explainMissing(): string | undefined {
    return explainMissingResources(this.state);
  }

  /** Sentences about resources that stay as they were last read. */
  listProblems(): readonly string[] {
    return describeProblems(this.state);
  }

  private get state(): CacheState {
    const { isSynced, state } = this.cache;
    return { ...this.description, isSynced, watch: state };
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
