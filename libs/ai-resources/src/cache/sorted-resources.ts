import type { Resource } from '../resource.ts';

/** Which resources a page contains. */
export interface CacheQuery<T extends Resource> {
  /** The page begins after this name, which need not exist. Without it, it is the first page. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Only resources for which this returns true; default: all. */
  readonly matches?: ((resource: T) => boolean) | undefined;
}

/** A page of resources, sorted by the bytes of their names. */
export interface CachePage<T extends Resource> {
  readonly items: readonly T[];
  /** Whether a matching resource follows. The next page begins after the name of the last item. */
  readonly hasMore: boolean;
  /** The number of resources after this page; undefined with `matches`. */
  readonly remainingItemCount: number | undefined;
}

/**
 * Resources by name, in the order of the bytes of their names. A page costs as much as its items,
 * regardless of the number of resources.
 */
export class SortedResources<T extends Resource> {
  private byName = new Map<string, T>();
  /** Sorted. Names are ASCII, so that the order of strings is that of their bytes. */
  private names: string[] = [];

  get size(): number {
    return this.names.length;
  }

  get(name: string): T | undefined {
    return this.byName.get(name);
  }

  /** All resources, sorted by name. */
  values(): T[] {
    return this.names.flatMap((name) => this.byName.get(name) ?? []);
  }

  list({ after, limit, matches }: CacheQuery<T>): CachePage<T> {
    const start = after === undefined ? 0 : this.findPosition(after, { isAfter: true });
    if (matches === undefined) {
      const names = this.names.slice(start, start + limit);
      const remainingItemCount = this.names.length - start - names.length;
      const items = names.flatMap((name) => this.byName.get(name) ?? []);
      return { items, hasMore: remainingItemCount > 0, remainingItemCount };
    }
    const items: T[] = [];
    for (let position = start; position < this.names.length; position += 1) {
      const resource = this.byName.get(this.names[position] ?? '');
      if (resource === undefined || !matches(resource)) continue;
      if (items.length === limit) return { items, hasMore: true, remainingItemCount: undefined };
      items.push(resource);
    }
    return { items, hasMore: false, remainingItemCount: undefined };
  }

  set(resource: T): void {
    const { name } = resource.metadata;
    if (!this.byName.has(name)) this.names.splice(this.findPosition(name), 0, name);
    this.byName.set(name, resource);
  }

  delete(name: string): void {
    if (this.byName.delete(name)) this.names.splice(this.findPosition(name), 1);
  }

  /** Replaces all resources. */
  replace(resources: readonly T[]): void {
    this.byName = new Map(resources.map((resource) => [resource.metadata.name, resource]));
    this.names = [...this.byName.keys()].sort(compareNames);
  }

  /** The position of the first name that is not before, or that is after, a name. */
  private findPosition(name: string, { isAfter = false } = {}): number {
    let [low, high] = [0, this.names.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareNames(this.names[middle] ?? '', name);
      if (order < 0 || (isAfter && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const compareNames = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
