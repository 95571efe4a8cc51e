import { type KubernetesApi, KubernetesFailure, type KubernetesObject } from '@gatehouse/service-kit/kubernetes-api';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundServer } from './found-server.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * What an informer knows about its collection: not asked yet, followed, not in this cluster, not
 * allowed, not answering.
 */
export type Following = 'starting' | 'following' | 'absent' | 'forbidden' | 'away';

/** A collection to be followed. */
export interface Collection {
  /** Paths under which the API may serve it, the best first. */
  paths: readonly string[];
  /** The server of an object, if it is one. */
  read: (object: KubernetesObject, kind: string) => FoundServer | undefined;
}

/**
 * Keeps the servers of one collection as the cluster has them: lists it, follows it from there on,
 * and begins again where the cluster forgot the moment or the connection. What it knew stays while
 * the cluster is away. Only what objects say about servers is kept, never the objects.
 */
export class Informer {
  private readonly found = new Map<string, FoundServer>();
  private state: Following = 'starting';
  /**
   * `performance.now()` of the last sign of the cluster; before the first one nothing is known that
   * could be offered for a while.
   */
  private heardAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly api: KubernetesApi,
    private readonly collection: Collection,
    private readonly changed: (state: Following, cause: unknown) => void,
  ) {}

  /** What is known now. */
  get servers(): FoundServer[] {
    return [...this.found.values()];
  }

  /** How well it is known. */
  get following(): Following {
    return this.state;
  }

  /** Milliseconds since the cluster last answered; 0 while it is followed. */
  get silentMs(): number {
    return this.state === 'away' ? performance.now() - this.heardAt : 0;
  }

  /** Follows the collection until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      const begunAt = performance.now();
      try {
        await this.follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        // A watch that is too old is the cluster's way to ask for a new list.
        if (!(error instanceof KubernetesFailure && error.status === 410)) this.failed(error);
      }
      // A connection that has lasted is no sign of trouble; one that never does is not asked for
      // all the time.
      pause = performance.now() - begunAt > LONGEST_PAUSE_MS ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      const jitter = 0.5 + Math.random() / 2;
      const rested = await sleep(pause * jitter, true, { signal, ref: false }).catch(() => false);
      if (!rested) return;
    }
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const { path, kind, items, resourceVersion } = await this.list(signal);
    this.found.clear();
    for (const item of items) this.take(item, kind);
    this.heard();
    let version = resourceVersion;
    for (;;) {
      for await (const { type, object } of this.api.watch(path, version, signal, () => this.heard())) {
        version = versionOf(object) ?? version;
        this.heard();
        if (type === 'DELETED') this.found.delete(uidOf(object));
        else if (type !== 'BOOKMARK') this.take(object, kind);
      }
      await sleep(FIRST_PAUSE_MS, undefined, { signal, ref: false });
    }
  }

  private async list(signal: AbortSignal) {
    let missing: unknown;
    for (const path of this.collection.paths) {
      try {
        return { path, ...(await this.api.list(path, signal)) };
      } catch (error) {
        if (!(error instanceof KubernetesFailure && error.status === 404)) throw error;
        missing = error;
      }
    }
    throw missing;
  }

  private take(object: KubernetesObject, kind: string): void {
    const server = this.collection.read(object, kind);
    if (server === undefined) this.found.delete(uidOf(object));
    else this.found.set(server.id, server);
  }

  private heard(): void {
    this.heardAt = performance.now();
    this.become('following', undefined);
  }

  private failed(error: unknown): void {
    const status = error instanceof KubernetesFailure ? error.status : 0;
    if (status === 404 || status === 403) {
      this.found.clear();
      this.heardAt = performance.now();
    }
    this.become(status === 404 ? 'absent' : status === 403 ? 'forbidden' : 'away', error);
  }

  private become(state: Following, cause: unknown): void {
    if (this.state === state) return;
    this.state = state;
    this.changed(state, cause);
  }
}

const metadataOf = (object: KubernetesObject) =>
  (object['metadata'] ?? {}) as { uid?: string; resourceVersion?: string };

const uidOf = (object: KubernetesObject): string => (metadataOf(object).uid ?? '').toLowerCase();

const versionOf = (object: KubernetesObject): string | undefined => metadataOf(object).resourceVersion;
