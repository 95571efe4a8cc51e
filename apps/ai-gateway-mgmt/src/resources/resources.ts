import { ResourceCache } from '@gatehouse/ai-resources/resource-cache';
import type { ResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import type { AIGateway, AIPolicy, Resource, ResourceKind } from '@gatehouse/ai-resources/resource';
import type { ResourceStore } from '@gatehouse/ai-resources/resource-store';
import type { Log } from '@gatehouse/service-kit/log';
import { WatchLog } from './watch-log.ts';

/**
 * The resources of one kind in the namespace: writes go to the store, reads come from the cache.
 */
export class CachedResources<T extends Resource> {
  readonly cache: ResourceCache<T>;
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly store: ResourceStore<T>,
    kind: ResourceKind,
    log: Log,
  ) {
    const watchLog = new WatchLog(kind, log);
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

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The resources of the namespace. */
export class Resources {
  readonly gateways: CachedResources<AIGateway>;
  readonly policies: CachedResources<AIPolicy>;

  constructor(
    private readonly stores: ResourceStores,
    log: Log,
  ) {
    this.gateways = new CachedResources(stores.gateways, 'AIGateway', log);
    this.policies = new CachedResources(stores.policies, 'AIPolicy', log);
  }

  /** Fills the caches until the signal aborts, then closes the stores. */
  async follow(signal: AbortSignal): Promise<void> {
    await Promise.all([this.gateways, this.policies].map(({ cache }) => cache.run(signal)));
    await this.stores.close();
  }
}
