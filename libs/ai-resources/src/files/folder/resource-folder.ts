import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceKind } from '../../resource.ts';
import { ResourceStoreError } from '../../resource-store.ts';
import type { ResourceIdentity } from '../state/known-files.ts';
import { ChangeSignal } from './change-signal.ts';
import { FolderScanner, SETTLE_MS } from './folder-scanner.ts';
import { FolderState } from './folder-state.ts';
import { ScanRequests } from './scan-requests.ts';
import type { SeenFile } from './seen-files.ts';

/** Pause after an event, so that one scan takes the events of one change. */
const EVENT_PAUSE_MS = 20;
const RETRY_MS = 500;
/** Scans of the whole folder take at most this share of the time of one core, up to the maximum. */
const MAX_RESCAN_SHARE = 0.01;
const MIN_RESCAN_MS = 1_000;
const MAX_RESCAN_MS = 10_000;
/** The longest wait of the first scan for files that were changed just before. */
const MAX_FIRST_SCAN_MS = 2_000;

/** The state of the folder while it can be used. */
interface OpenFolder {
  readonly state: FolderState;
  readonly scanner: FolderScanner;
}

export interface ResourceFolderOptions {
  readonly path: string;
  /** The namespace of all resources in the folder. */
  readonly namespace: string;
  /** Returns milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/**
 * A folder of resource files that is followed from the first use until `close`. Events of the file
 * system cause scans; a scan of all files at regular intervals finds changes without an event.
 */
export class ResourceFolder {
  readonly path: string;
  readonly namespace: string;
  /** Tells of scans, and of writes of this process. */
  readonly changes = new ChangeSignal();
  private readonly now: () => number;
  private readonly requests = new ScanRequests();
  private readonly closing = new AbortController();
  private following: Promise<void> | undefined;
  private opening: OpenFolder | undefined;
  private open: OpenFolder | undefined;
  private watcher: FSWatcher | undefined;
  private failure: unknown;
  private isScanning = false;
  private scans = 0;
  private epochs = 0;

  constructor({ path, namespace, now = Date.now }: ResourceFolderOptions) {
    this.path = path;
    this.namespace = namespace;
    this.now = now;
  }

  /** Changes whenever the state of the folder was opened anew. */
  get epoch(): number {
    return this.epochs;
  }

  /** The number of scans that have ended. Problems change in scans only. */
  get scanCount(): number {
    return this.scans;
  }

  /**
   * Waits for the first scan of the folder, which creates the folder if missing.
   * @throws ResourceStoreError `unavailable` while the folder or its state cannot be used
   */
  async getState(): Promise<FolderState> {
    if (this.following === undefined) {
      createIfPossible(this.path);
      this.following = this.follow();
    }
    if (this.open?.state.database.isCurrent() !== true) await this.rescan();
    if (this.open === undefined) throw toUnavailable(this.path, this.failure);
    return this.open.state;
  }

  /** Scans all files, and waits for the end of the scan. */
  async rescan(): Promise<void> {
    // A scan that runs already may have passed the files.
    const end = this.scans + (this.isScanning ? 2 : 1);
    this.requests.add(undefined);
    while (this.scans < end && !this.closing.signal.aborted)
      await this.changes.wait(this.closing.signal, RETRY_MS, { keepsProcess: true });
  }

  /** Sentences about files with errors, of one kind or of an unknown kind. */
  listProblems(kind: ResourceKind): string[] {
    const files = [...(this.open?.scanner.view.seen.list() ?? [])];
    const isRelevant = ({ resources }: SeenFile): boolean =>
      resources.length === 0 || resources.some((resource) => resource.kind === kind);
    const problems = files.flatMap((file) => (file.problem === undefined || !isRelevant(file) ? [] : [file.problem]));
    return [...new Set(problems)].sort();
  }

  /** The sentence about the files of a resource, or undefined when they have no error. */
  findProblem(identity: ResourceIdentity): string | undefined {
    return this.open?.scanner.view.seen.listByResource(identity).find(({ problem }) => problem !== undefined)?.problem;
  }

  /** The sentence about a file, or undefined when it has no error. */
  findProblemOfFile(name: string): string | undefined {
    return this.open?.scanner.view.seen.get(name)?.problem;
  }

  /** Stops following the folder and closes its state. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.following;
    this.failure = 'it was closed';
    this.closeState();
  }

  private async follow(): Promise<void> {
    const { signal } = this.closing;
    for (let fullScanAt = 0; ;) {
      const startedAt = performance.now();
      const requested = this.requests.take();
      const isFull = requested === 'all' || startedAt >= fullScanAt;
      this.isScanning = true;
      let isPending = false;
      try {
        isPending = await this.scan(isFull ? undefined : requested);
        const pauseMs = Math.max(MIN_RESCAN_MS, (performance.now() - startedAt) / MAX_RESCAN_SHARE);
        if (isFull) fullScanAt = startedAt + Math.min(MAX_RESCAN_MS, pauseMs);
      } catch (error) {
        this.failure = error;
        this.closeState();
        fullScanAt = startedAt + RETRY_MS;
      }
      this.isScanning = false;
      this.scans += 1;
      this.changes.notify();
      const pauseMs = fullScanAt - performance.now();
      await this.requests.wait(signal, isPending ? Math.min(SETTLE_MS, pauseMs) : pauseMs);
      if (signal.aborted) return;
      await sleep(EVENT_PAUSE_MS);
    }
  }

  private async scan(names: Iterable<string> | undefined): Promise<boolean> {
    if (names === undefined && this.open?.state.database.isCurrent() === false) this.closeState();
    if (this.open !== undefined) return this.open.scanner.scan(names);
    const state = await FolderState.open(this.path, this.now);
    this.opening = { state, scanner: new FolderScanner(this.path, this.namespace, state) };
    this.watcher = this.openWatcher();
    const deadline = performance.now() + MAX_FIRST_SCAN_MS;
    let isPending = await this.opening.scanner.scan();
    while (isPending && performance.now() < deadline && !this.closing.signal.aborted) {
      await sleep(SETTLE_MS / 2);
      isPending = await this.opening.scanner.scan();
    }
    this.open = this.opening;
    this.epochs += 1;
    return isPending;
  }

  private closeState(): void {
    this.watcher?.close();
    this.opening?.state.database.close();
    this.opening = this.open = this.watcher = undefined;
  }

  /** Without a watcher (a limit of the system), scans of all files find the changes. */
  private openWatcher(): FSWatcher | undefined {
    try {
      const watcher = watch(this.path, { persistent: false }, (_, name) => this.requests.add(name ?? undefined));
      return watcher.on('error', () => watcher.close());
    } catch {
      return undefined;
    }
  }
}

function createIfPossible(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // The first scan reports the reason.
  }
}

function toUnavailable(path: string, cause: unknown): ResourceStoreError {
  const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
  const message = `The folder of resources ${path} cannot be used: ${reason}. Correct this; the folder is tried again every 0.5 s.`;
  return new ResourceStoreError('unavailable', message, { cause, retryAfterMs: RETRY_MS });
}
