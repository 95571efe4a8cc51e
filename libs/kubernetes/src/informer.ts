import type { KubernetesObject as NamedObject, ListWatch, V1ObjectMeta } from '@kubernetes/client-node';
import { ExponentialBackoff, handleAll, retry } from 'cockatiel';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkWatch } from './checked-watch.ts';
import type { KubernetesClient, KubernetesConnection, KubernetesObject } from './client.ts';
import { type Listing, listAll, getPath, type Resource } from './collection.ts';
import { KubernetesApiError, toKubernetesApiError } from './errors.ts';

const BACKOFF = { initialDelay: 250, maxDelay: 10_000 };

/** A watch that has lasted this long resets the backoff. */
const STABLE_MS = 10_000;

/**
 * The longest pause before a watch that the server has closed is opened again. The library would
 * wait up to 30 s, in which changes are not seen.
 */
const REOPEN_MS = 1_000;

/**
 * State of an informer: before the first response; up to date; the type does not exist in the
 * cluster; RBAC refuses it; the API does not answer.
 */
export type InformerState = 'starting' | 'following' | 'absent' | 'forbidden' | 'unreachable';

/** A collection that an informer follows. */
export interface Collection<T> {
  /** The resource in every version that the cluster may serve, preferred first. */
  resources: readonly [Resource, ...Resource[]];
  /**
   * Maps an object to the value that is kept, or to undefined to leave it out. Objects are not
   * kept, so that memory holds only what the service uses.
   */
  transform(object: KubernetesObject, kind: string): T | undefined;
}

/**
 * Receives what an informer learns, in the order of the cluster. After an error of one of its
 * functions the informer lists the collection again.
 */
export interface InformerObserver<T> {
  onState(state: InformerState, cause: unknown): void;
  /** All values at one resource version: at first, and after each list that follows a failure. */
  onReplaced?(values: T[], resourceVersion: string): void;
  /** An object was created or changed. */
  onChanged?(value: T): void;
  /** An object was deleted. The value has the resource version of the deletion. */
  onDeleted?(value: T): void;
}

type EntryMetadata = Pick<V1ObjectMeta, 'name' | 'namespace' | 'resourceVersion'>;

/** An entry in the cache of a ListWatch, which identifies objects by namespace and name. */
interface Entry<T> extends NamedObject {
  metadata: EntryMetadata;
  value: T | undefined;
}

/**
 * Keeps the values of one collection up to date: lists it, watches it, and lists it again when the
 * cluster no longer has the resource version. It keeps its values while the API does not answer.
 */
export class Informer<T> {
  private currentState: InformerState = 'starting';
  private lastResponseAt = Number.NEGATIVE_INFINITY;
  private cache: ListWatch<Entry<T>> | undefined;

  constructor(
    private readonly client: Pick<KubernetesClient, 'connect'>,
    private readonly collection: Collection<T>,
    private readonly observer: InformerObserver<T>,
  ) {}

  get state(): InformerState {
    return this.currentState;
  }

  /** The values that are known now. */
  get values(): T[] {
    return listValues(this.cache?.list() ?? []);
  }

  /** Milliseconds since the last response while the API is unreachable, else 0. */
  get staleMs(): number {
    return this.currentState === 'unreachable' ? performance.now() - this.lastResponseAt : 0;
  }

  /** Follows the collection until the signal aborts. It does not reject. */
  async run(signal: AbortSignal): Promise<void> {
    const policy = retry(handleAll, {
      maxAttempts: Number.POSITIVE_INFINITY,
      backoff: new ExponentialBackoff(BACKOFF),
    }).dangerouslyUnref();
    while (!signal.aborted) await policy.execute(() => this.followUntilFailure(signal), signal).catch(() => undefined);
  }

  /**
   * Follows the collection until something fails.
   * @throws the failure, unless the collection was followed for STABLE_MS
   */
  private async followUntilFailure(signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    // Ends the watches of this attempt, so that none of their events comes after the next list.
    const ended = new AbortController();
    try {
      await this.follow(AbortSignal.any([signal, ended.signal]));
    } catch (error) {
      if (signal.aborted) return;
      this.handleFailure(error);
      if (performance.now() - startedAt < STABLE_MS) throw error;
    } finally {
      ended.abort();
    }
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const connection = await this.client.connect();
    const [resource, listing] = await this.findServedResource(connection, signal);
    const informer = await this.openInformer(connection, resource, listing, signal);
    const failure = Promise.withResolvers<undefined>();
    informer.on('error', (error: unknown) => failure.reject(toKubernetesApiError(error, getPath(resource))));
    const stop = () => failure.resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await informer.start();
      await failure.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      await informer.stop();
    }
  }

  /**
   * Lists the preferred resource that the cluster serves.
   * @throws KubernetesApiError, or the network error
   */
  private async findServedResource(
    connection: KubernetesConnection,
    signal: AbortSignal,
  ): Promise<[Resource, Listing]> {
    let missing: unknown;
    for (const resource of this.collection.resources) {
      try {
        return [resource, await listAll(connection, resource, signal)];
      } catch (cause) {
        const error = toKubernetesApiError(cause, getPath(resource));
        if (!(error instanceof KubernetesApiError && error.status === 404)) throw error;
        missing = error;
      }
    }
    throw missing;
  }

  private async openInformer(
    connection: KubernetesConnection,
    resource: Resource,
    first: Listing,
    signal: AbortSignal,
  ): Promise<ListWatch<Entry<T>>> {
    const { ListWatch, Watch } = await import('@kubernetes/client-node');
    const createEntry = (object: KubernetesObject) => this.createEntry(object, first.kind);
    let listed: Listing | undefined = first;
    const list = async () => {
      const { items, resourceVersion } = listed ?? (await listAll(connection, resource, signal));
      listed = undefined;
      const entries = items.map(createEntry);
      if (!signal.aborted) this.observer.onReplaced?.(listValues(entries), resourceVersion);
      return { items: entries, metadata: { resourceVersion } };
    };
    const onResponse = () => {
      // The first watch begins after the first list: from here on the new cache is complete.
      this.cache = informer;
      this.handleResponse();
    };
    const onEvent = (type: string, entry: Entry<T>) => this.reportEvent(type, entry.value);
    const watch = checkWatch(new Watch(connection.config), { signal, createEntry, onResponse, onEvent });
    const delayFn = async (ms: number) => sleep(Math.min(ms, REOPEN_MS), undefined, { ref: false });
    const informer = new ListWatch<Entry<T>>(getPath(resource), watch, list, false, undefined, undefined, { delayFn });
    return informer;
  }

  private reportEvent(type: string, value: T | undefined): void {
    if (value === undefined) return;
    if (type === 'DELETED') this.observer.onDeleted?.(value);
    else this.observer.onChanged?.(value);
  }

  private createEntry(object: KubernetesObject, kind: string): Entry<T> {
    const { name, namespace, resourceVersion } = (object['metadata'] ?? {}) as Record<string, unknown>;
    const metadata: EntryMetadata = {
      name: readText(name),
      namespace: readText(namespace),
      resourceVersion: readText(resourceVersion),
    };
    return { metadata, value: this.collection.transform(object, kind) };
  }

  private handleResponse(): void {
    this.lastResponseAt = performance.now();
    this.changeState('following', undefined);
  }

  private handleFailure(error: unknown): void {
    const status = error instanceof KubernetesApiError ? error.status : 0;
    if (status === 404 || status === 403) {
      this.cache = undefined;
      this.lastResponseAt = performance.now();
    }
    this.changeState(status === 404 ? 'absent' : status === 403 ? 'forbidden' : 'unreachable', error);
  }

  private changeState(state: InformerState, cause: unknown): void {
    if (this.currentState === state) return;
    this.currentState = state;
    this.observer.onState(state, cause);
  }
}

const listValues = <T>(entries: readonly Entry<T>[]): T[] =>
  entries.flatMap(({ value }) => (value === undefined ? [] : [value]));

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');
