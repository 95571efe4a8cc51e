import { isDeepStrictEqual } from 'node:util';
import type { Resource, ResourceKind } from '../../resource.ts';
import type { ResourceObserver, WatchState } from '../../resource-store.ts';
import type { FolderState } from './folder-state.ts';
import type { ResourceFolder } from './resource-folder.ts';

/** The interval of looking for writes of other processes. */
const POLL_MS = 200;

/** A function, because the signal can abort during each await. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

/** Reports the resources of one kind and their changes to one observer. */
export class FolderWatch<T extends Resource> {
  private place: { readonly epoch: number; readonly version: number } | undefined;
  private lastScan: number | undefined;
  private lastState: Pick<WatchState, 'status' | 'problems'> | undefined;

  constructor(
    private readonly folder: ResourceFolder,
    private readonly kind: ResourceKind,
    private readonly observer: ResourceObserver<T>,
  ) {}

  /** Reports until the signal aborts. It does not reject. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const state = await this.folder.getState();
        if (isAborted(signal)) return;
        this.report(state);
        this.reportProblems();
      } catch (cause) {
        this.place = undefined;
        this.reportState({ status: 'unreachable', problems: [(cause as Error).message], cause });
      }
      await this.folder.changes.wait(signal, POLL_MS);
    }
  }

  private report(state: FolderState): void {
    const { epoch } = this.folder;
    const { latest, compacted } = state.revisions.readVersions();
    if (this.place?.epoch !== epoch || this.place.version < compacted) {
      this.reportAll(state, latest);
      this.place = { epoch, version: latest };
    }
    if (this.place.version === latest) return;
    for (const { version, isDeleted, resource } of state.revisions.listSince(this.kind, this.place.version)) {
      if (isDeleted) this.observer.onDeleted(resource as T);
      else this.observer.onChanged(resource as T);
      this.place = { epoch, version };
    }
    this.place = { epoch, version: Math.max(latest, this.place.version) };
  }

  private reportAll(state: FolderState, version: number): void {
    const resources = state.database.read(() => [...state.revisions.list(this.kind, version, '')]);
    this.observer.onReplaced(resources as T[], String(version));
  }

  private reportProblems(): void {
    const { scanCount } = this.folder;
    if (this.lastState?.status === 'following' && this.lastScan === scanCount) return;
    this.lastScan = scanCount;
    this.reportState({ status: 'following', problems: this.folder.listProblems(this.kind) });
  }

  private reportState(state: WatchState): void {
    const { status, problems } = state;
    if (isDeepStrictEqual({ status, problems }, this.lastState)) return;
    this.lastState = { status, problems };
    this.observer.onState(state);
  }
}
