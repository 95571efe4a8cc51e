import { setTimeout as sleep } from 'node:timers/promises';
import { parseLabelSelector } from '../label-selector/label-selector.ts';
import type { NewResource, Resource, ResourceKind } from '../resource.ts';
import {
  type ListOptions,
  type MergePatch,
  type PatchOptions,
  type Precondition,
  type ResourceObserver,
  type ResourcePage,
  type ResourceStore,
  ResourceStoreError,
} from '../resource-store.ts';
import { createInvalid } from './candidates.ts';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import type { FolderState } from './folder/folder-state.ts';
import { FolderWatch } from './folder/folder-watch.ts';
import type { ResourceFolder } from './folder/resource-folder.ts';
import { ResourceWriter } from './folder/resource-writer.ts';
import { UnsettledFileError } from './folder/unsettled-file.ts';
import { FileProblemError } from '@gatehouse/yaml-files/file-problem';

const DEFAULT_LIMIT = 500;
/** Time for which a write waits until a change by hand is complete. */
const SETTLE_TIMEOUT_MS = 5_000;
const SETTLE_PAUSE_MS = 50;

/** The resources of one kind in a folder of YAML files. */
export class FileResourceStore<T extends Resource = Resource> implements ResourceStore<T> {
  private readonly writer: ResourceWriter;

  constructor(
    private readonly folder: ResourceFolder,
    private readonly kind: ResourceKind,
  ) {
    this.writer = new ResourceWriter(folder, kind);
  }

  get(name: string, signal?: AbortSignal): Promise<T | undefined> {
    return this.read((state) => state.revisions.find(this.kind, name) as T | undefined, signal);
  }

  async list(
    { limit = DEFAULT_LIMIT, continue: token, labelSelector = '' }: ListOptions = {},
    signal?: AbortSignal,
  ): Promise<ResourcePage<T>> {
    const matches = parseLabelSelector(labelSelector);
    const place = token === undefined || token === '' ? undefined : decodeContinueToken(token);
    return this.read(({ revisions }) => {
      const { latest, compacted } = revisions.readVersions();
      const version = place?.version ?? latest;
      if (version < compacted || version > latest)
        throw new ResourceStoreError('expired', 'The list is too old to be continued; list again from the first page.');
      const items: T[] = [];
      let hasMore = false;
      for (const resource of revisions.list(this.kind, version, place?.after ?? '')) {
        hasMore = limit > 0 && items.length === limit;
        if (hasMore) break;
        if (matches(resource.metadata.labels ?? {})) items.push(resource as T);
      }
      const page = { items, resourceVersion: String(version) };
      if (!hasMore) return page;
      const after = items.at(-1)?.metadata.name ?? '';
      return {
        ...page,
        continue: encodeContinueToken({ version, after }),
        ...(labelSelector === '' && { remainingItemCount: revisions.count(this.kind, version, after) }),
      };
    }, signal);
  }

  create(resource: NewResource<T['spec']>, signal?: AbortSignal): Promise<T> {
    return this.write((state) => this.writer.create(state, resource) as T, signal);
  }

  patch(name: string, patch: MergePatch, options: PatchOptions, signal?: AbortSignal): Promise<T> {
    return this.write((state) => this.writer.patch(state, name, patch, options) as T, signal);
  }

  delete(name: string, precondition: Precondition, signal?: AbortSignal): Promise<void> {
    return this.write((state) => this.writer.delete(state, name, precondition), signal);
  }

  watch(observer: ResourceObserver<T>, signal: AbortSignal): Promise<void> {
    return new FolderWatch(this.folder, this.kind, observer).run(signal);
  }

  private async read<R>(work: (state: FolderState) => R, signal: AbortSignal | undefined): Promise<R> {
    signal?.throwIfAborted();
    const state = await this.folder.getState();
    try {
      return state.database.read(() => work(state));
    } catch (error) {
      throw this.toStoreError(error);
    }
  }

  /** Repeats a write until changes by hand of its file have been taken into the state. */
  private async write<R>(work: (state: FolderState) => R, signal?: AbortSignal): Promise<R> {
    for (const deadline = performance.now() + SETTLE_TIMEOUT_MS; ;) {
      signal?.throwIfAborted();
      const state = await this.folder.getState();
      try {
        const result = await state.database.write(() => work(state), signal);
        this.folder.changes.notify();
        return result;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UnsettledFileError) || performance.now() > deadline) throw this.toStoreError(error);
      }
      await this.folder.rescan();
      await sleep(SETTLE_PAUSE_MS);
    }
  }

  private toStoreError(error: unknown): unknown {
    if (error instanceof ResourceStoreError) return error;
    if (error instanceof FileProblemError)
      return createInvalid(`The file of the ${this.kind}`, [{ field: '/spec', message: error.reason }]);
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    const message = `The folder of resources ${this.folder.path} cannot be used: ${reason}.`;
    return new ResourceStoreError('unavailable', message, { cause: error, retryAfterMs: 1_000 });
  }
}
