import { isDeepStrictEqual } from 'node:util';
import type { ObjectMeta, Resource } from '../resource.ts';
import type { ResourceObserver, ResourceStore, WatchState } from '../resource-store.ts';
import { type CachePage, type CacheQuery, SortedResources } from './sorted-resources.ts';

/** One change of a cache. */
export interface ResourceChange<T extends Resource> {
  readonly name: string;
  /** Undefined for a new resource. */
  readonly previous: T | undefined;
  /** Undefined for a deleted resource. */
  readonly current: T | undefined;
}

/** The reports of a cache to its owner. */
export interface ResourceCacheReports {
  /** The watch of the store has another state. */
  onState(state: WatchState): void;
  /** A listener failed. The cache has the change, and the other listeners receive it. */
  onListenerError(error: unknown): void;
}

/** Receives each change after the cache has it. */
export type ResourceChangeListener<T extends Resource> = (change: ResourceChange<T>) => void;

/** The metadata that identify one version of a resource. */
type VersionedName = Pick<ObjectMeta, 'name' | 'uid' | 'resourceVersion'>;

/**
 * The resources of a store in memory. It follows the watch of the store, and takes the results of
 * writes at once, so that a writer reads what it wrote.
 *
 * For each name it only moves forward, in any order of results and events
 * (docs/decisions/0174): it never replaces a version by an older one, and a deleted resource never
 * returns. It keeps its resources while the store does not answer.
 */
export class ResourceCache<T extends Resource> {
  private readonly resources = new SortedResources<T>();
  private readonly listeners = new Set<ResourceChangeListener<T>>();
  /**
   * The version up to which the watch has reported everything; undefined before the first report.
   */
  private watchedVersion: bigint | undefined;
  /**
   * Resources that a writer deleted before the watch reported it: the last version, by uid. A uid
   * is never used again.
   */
  private readonly tombstones = new Map<string, bigint>();
  private currentState: WatchState | undefined;

  constructor(
    private readonly store: Pick<ResourceStore<T>, 'watch'>,
    private readonly reports: ResourceCacheReports,
  ) {}

  /** Follows the store until the signal aborts. It does not reject. */
  run(signal: AbortSignal): Promise<void> {
    const observer: ResourceObserver<T> = {
      onReplaced: (resources, resourceVersion) => this.handleReplaced(resources, resourceVersion),
      onChanged: (resource) => this.handleChanged(resource),
      onDeleted: (resource) => this.handleDeleted(resource),
      onState: (state) => {
        this.currentState = state;
        this.reports.onState(state);
      },
    };
    return this.store.watch(observer, signal);
  }

  /** Whether the store has reported all resources once. Before that, resources can be missing. */
  get isSynced(): boolean {
    return this.watchedVersion !== undefined;
  }

  /** The state of the watch; undefined before the first report. */
  get state(): WatchState | undefined {
    return this.currentState;
  }

  get size(): number {
    return this.resources.size;
  }

  get(name: string): T | undefined {
    return this.resources.get(name);
  }

  list(query: CacheQuery<T>): CachePage<T> {
    return this.resources.list(query);
  }

  /** All resources, sorted by name. */
  values(): T[] {
    return this.resources.values();
  }

  /** Calls a listener for each change. @returns a function that ends this */
  onChange(listener: ResourceChangeListener<T>): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Takes the result of a write, or of a read of the store. */
  put(resource: T): void {
    if (readVersion(resource) > (this.watchedVersion ?? -1n)) this.setIfNewer(resource);
  }

  /** Takes the deletion of a resource, after the store has deleted the version. */
  remove({ name, uid, resourceVersion }: VersionedName): void {
    const version = BigInt(resourceVersion);
    const isCached = this.resources.get(name)?.metadata.uid === uid;
    // Without it, a watch that has reported this version has reported the deletion too.
    if (!isCached && version <= (this.watchedVersion ?? -1n)) return;
    this.tombstones.set(uid, version);
    if (isCached) this.change(name, undefined);
  }

  private handleReplaced(resources: readonly T[], resourceVersion: string): void {
    const version = BigInt(resourceVersion);
    // The store was restored from a backup: versions before it say nothing about those after it.
    const isRestored = version < (this.watchedVersion ?? -1n);
    if (isRestored) this.tombstones.clear();
    const merged = isRestored ? resources : this.merge(resources, version);
    this.watchedVersion = version;
    this.apply(merged);
  }

  /** Adds the results of writes that are newer than the list. */
  private merge(resources: readonly T[], version: bigint): T[] {
    const uids = new Set(resources.map(({ metadata }) => metadata.uid));
    for (const [uid, deleted] of this.tombstones) if (deleted <= version && !uids.has(uid)) this.tombstones.delete(uid);
    const newest = new Map(
      resources
        .filter(({ metadata }) => !this.tombstones.has(metadata.uid))
        .map((resource) => [resource.metadata.name, resource]),
    );
    for (const cached of this.resources.values())
      if (readVersion(cached) > version) newest.set(cached.metadata.name, cached);
    return [...newest.values()];
  }

  private apply(resources: readonly T[]): void {
    const previous = new Map(this.resources.values().map((resource) => [resource.metadata.name, resource]));
    this.resources.replace(resources);
    for (const current of this.resources.values()) {
      const { name } = current.metadata;
      const replaced = previous.get(name);
      previous.delete(name);
      if (!isSameVersion(replaced, current)) this.notify({ name, previous: replaced, current });
    }
    for (const [name, deleted] of previous) this.notify({ name, previous: deleted, current: undefined });
  }

  private handleChanged(resource: T): void {
    const version = readVersion(resource);
    if (version <= (this.watchedVersion ?? -1n)) return;
    this.watchedVersion = version;
    this.setIfNewer(resource);
  }

  private handleDeleted(resource: T): void {
    const { name, uid } = resource.metadata;
    const version = readVersion(resource);
    if (version > (this.watchedVersion ?? -1n)) this.watchedVersion = version;
    this.tombstones.delete(uid);
    const cached = this.resources.get(name);
    if (cached !== undefined && (cached.metadata.uid === uid || readVersion(cached) < version))
      this.change(name, undefined);
  }

  private setIfNewer(resource: T): void {
    const { name, uid } = resource.metadata;
    if (this.tombstones.has(uid)) return;
    const cached = this.resources.get(name);
    if (cached === undefined || readVersion(cached) < readVersion(resource)) this.change(name, resource);
  }

  private change(name: string, next: T | undefined): void {
    const previous = this.resources.get(name);
    const current = next && shareSpec(next, previous);
    if (current === undefined) this.resources.delete(name);
    else this.resources.set(current);
    this.notify({ name, previous, current });
  }

  private notify(change: ResourceChange<T>): void {
    for (const listener of this.listeners)
      try {
        listener(change);
      } catch (error) {
        this.reports.onListenerError(error);
      }
  }
}

/** Keeps an equal specification of the version before, so that a new status takes less memory. */
const shareSpec = <T extends Resource>(resource: T, previous: T | undefined): T =>
  isDeepStrictEqual(resource.spec, previous?.spec) ? { ...resource, spec: previous?.spec } : resource;

/** Versions are decimal numbers of any size. */
const readVersion = ({ metadata }: Resource): bigint => BigInt(metadata.resourceVersion);

const isSameVersion = (one: Resource | undefined, other: Resource): boolean =>
  one?.metadata.uid === other.metadata.uid && one.metadata.resourceVersion === other.metadata.resourceVersion;
