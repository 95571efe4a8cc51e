import { isDeepStrictEqual } from 'node:util';
import type { Limits } from '../ports/limits.ts';
import type { UpstreamUnavailableError } from './upstream-unavailable.ts';

/** Age up to which the last good list is served while fetches fail. */
const MAX_STALE_MS = 600_000;

/** A fetched list. */
export interface FetchedItems {
  items: readonly unknown[];
  /** Whether each fetch of the list is expensive. */
  isHeavy: boolean;
}

/** Fetches one list of the upstream. @throws UpstreamUnavailableError */
type FetchList = (kind: string) => Promise<FetchedItems>;

interface KeptList {
  /** The last good list. An equal list stays the same object. */
  items?: readonly unknown[];
  fetchedAt: number;
  isHeavy: boolean;
  /** Why the last fetch failed; undefined after a success. */
  failure: UpstreamUnavailableError | undefined;
  failedAt: number;
  running: { startedAt: number; items: Promise<readonly unknown[]> } | undefined;
}

/**
 * The lists of one upstream. A list is current for `listTtlMs`. After that the last good list is
 * served while a new one is fetched, and while fetches fail until it is ten minutes old. A list
 * that the upstream announced as changed is not served any more.
 */
export class Lists {
  private readonly kept = new Map<string, KeptList>();

  constructor(
    private readonly fetch: FetchList,
    private readonly limits: Pick<Limits, 'listTtlMs' | 'heavyListTtlMs'>,
    private readonly now: () => number,
    /** Creates the error of a list that is not there in time. */
    private readonly createLateError: () => UpstreamUnavailableError,
  ) {}

  /**
   * Returns a list. Concurrent requests share one fetch, which goes on when they time out.
   * @param deadlineMs longest wait after the start of the fetch
   * @throws UpstreamUnavailableError
   */
  async get(kind: string, deadlineMs: number): Promise<readonly unknown[]> {
    const current = this.findCurrent(kind);
    if (current !== undefined) return current;
    const list = this.getKept(kind);
    const now = this.now();
    const { heavyListTtlMs } = this.limits;
    const age = now - list.fetchedAt;
    // Each fetch of a list beyond the limits is expensive.
    const isRefusedLately = list.failure?.isLimit === true && now - list.failedAt < heavyListTtlMs;
    if (!isRefusedLately) this.start(kind, list);
    if (list.items !== undefined && age < MAX_STALE_MS) return list.items;
    if (list.running === undefined) throw list.failure ?? this.createLateError();
    return this.waitUntil(list.running.items, deadlineMs - (now - list.running.startedAt));
  }

  /** A list that needs no fetch; undefined for every other list. */
  findCurrent(kind: string): readonly unknown[] | undefined {
    const list = this.kept.get(kind);
    if (list === undefined) return undefined;
    const ttlMs = list.isHeavy ? this.limits.heavyListTtlMs : this.limits.listTtlMs;
    return this.now() - list.fetchedAt < ttlMs ? list.items : undefined;
  }

  /** Why the last fetch of a list failed; undefined if it succeeded. */
  getFailure(kind: string): UpstreamUnavailableError | undefined {
    return this.kept.get(kind)?.failure;
  }

  /**
   * Drops a changed list. A large list stays until it expires, so that frequent change
   * notifications cause no frequent fetches.
   */
  forget(kind: string): void {
    if (this.kept.get(kind)?.isHeavy !== true) this.kept.delete(kind);
  }

  /** Drops all lists: they may be those of another account. */
  forgetAll(): void {
    this.kept.clear();
  }

  private getKept(kind: string): KeptList {
    let list = this.kept.get(kind);
    if (list === undefined) {
      list = { fetchedAt: 0, isHeavy: false, failure: undefined, failedAt: 0, running: undefined };
      this.kept.set(kind, list);
    }
    return list;
  }

  private start(kind: string, list: KeptList): void {
    if (list.running !== undefined) return;
    const items = this.fetch(kind).then(
      (fetched) => {
        if (!isDeepStrictEqual(list.items, fetched.items)) list.items = fetched.items;
        Object.assign(list, {
          fetchedAt: this.now(),
          isHeavy: fetched.isHeavy,
          failure: undefined,
          running: undefined,
        });
        return list.items as readonly unknown[];
      },
      (failure: unknown) => {
        Object.assign(list, { failure, failedAt: this.now(), running: undefined });
        throw failure;
      },
    );
    items.catch(() => undefined);
    list.running = { startedAt: this.now(), items };
  }

  private async waitUntil<T>(work: Promise<T>, limitMs: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.createLateError()), Math.max(0, limitMs));
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
