import type { Tool } from '@modelcontextprotocol/client';
import type { PlaneLog } from '../ports/plane-log.ts';
import { getPinKey, type ToolPinning, type ToolPinSet, type ToolPinStore } from '../ports/tool-pin-store.ts';
import { UpstreamUnavailableError } from '../upstreams/upstream-unavailable.ts';
import { serializeCanonicalJson } from '../upstreams/fingerprint.ts';
import { PinSets } from './pin-sets.ts';
import { RecordingLimit } from './recording-limit.ts';
import { type DigestedTool, digestTools } from './tool-digests.ts';

/** Pause after which a list is reviewed again because the database failed. */
const RETRY_MS = 5_000;
/**
 * Pause after which a list with undecided definitions is noted as seen again, and compared with
 * what is stored then: another replica may have dropped one of them.
 */
const TOUCH_MS = 300_000;

/** Most names of tools in one line of the log. */
const MAX_LOGGED = 20;

/** A connector, and what it does with tools that no administrator has accepted. */
export interface PinnedConnector {
  id: string;
  pinning: ToolPinning;
}

/** A reviewed list. */
interface Review {
  pinning: ToolPinning;
  pins: ToolPinSet;
  /** The tools that users may get. The list itself if that is all of them. */
  tools: readonly Tool[];
  /** Time of the next review without any change, in milliseconds. */
  againAt: number;
}

/** Dependencies of the pins. */
interface Dependencies {
  store: ToolPinStore;
  /** Milliseconds. */
  now: () => number;
  log: PlaneLog;
}

/**
 * Compares each list of tools with the definitions that administrators have accepted. A list is
 * reviewed once; the decisions about its tools then need no further work until the setting or a
 * decision of an administrator changes.
 */
export class ToolPins {
  private readonly sets: PinSets;
  private readonly limit: RecordingLimit;
  private readonly digests = new WeakMap<readonly Tool[], Promise<readonly DigestedTool<Tool>[]>>();
  private readonly reviews = new WeakMap<readonly Tool[], Review>();
  /** Time of the last note that the definitions of a list are still listed. */
  private readonly touchedAt = new WeakMap<readonly Tool[], number>();
  private readonly running = new WeakMap<readonly Tool[], { pinning: ToolPinning; tools: Promise<readonly Tool[]> }>();

  constructor(private readonly dependencies: Dependencies) {
    this.sets = new PinSets(dependencies.store, dependencies.now);
    this.limit = new RecordingLimit(dependencies.now);
  }

  /** The tools of a list that users may get; undefined for a list that has to be reviewed. */
  find({ id, pinning }: PinnedConnector, list: readonly Tool[]): readonly Tool[] | undefined {
    if (pinning === 'off') return list;
    const review = this.reviews.get(list);
    if (review?.pinning !== pinning || review.pins !== this.sets.find(id)) return undefined;
    return review.againAt > this.dependencies.now() ? review.tools : undefined;
  }

  /**
   * The tools of a list that users may get. Unknown definitions are recorded. The result for an
   * unchanged list is the same object.
   * @throws UpstreamUnavailableError if the accepted definitions are not known
   */
  review(connector: PinnedConnector, list: readonly Tool[]): readonly Tool[] | Promise<readonly Tool[]> {
    const known = this.find(connector, list);
    if (known !== undefined) return known;
    const running = this.running.get(list);
    if (running?.pinning === connector.pinning) return running.tools;
    const tools = this.reviewList(connector, list).finally(() => this.running.delete(list));
    this.running.set(list, { pinning: connector.pinning, tools });
    return tools;
  }

  /** Reads the stored definitions again. @param connectorId undefined for all connectors */
  forget(connectorId: string | undefined): void {
    this.sets.forget(connectorId);
  }

  private async reviewList(connector: PinnedConnector, list: readonly Tool[]): Promise<readonly Tool[]> {
    const digested = await this.digest(list);
    this.sets.forgetOld(connector.id, TOUCH_MS);
    try {
      const againAt = await this.recordUnknown(connector, list, digested);
      return this.keep(connector, list, digested, await this.sets.get(connector.id), againAt);
    } catch (error) {
      this.dependencies.log.warn({ connector: connector.id, err: error }, 'a list of tools could not be compared');
      const pins = await this.sets.get(connector.id).catch(() => undefined);
      if (pins !== undefined) return this.keep(connector, list, digested, pins, this.dependencies.now() + RETRY_MS);
      if (connector.pinning === 'warn') return list;
      throw new UpstreamUnavailableError('has tools that cannot be checked for changes at the moment', {
        cause: error,
      });
    }
  }

  private digest(list: readonly Tool[]): Promise<readonly DigestedTool<Tool>[]> {
    let digested = this.digests.get(list);
    if (digested === undefined) this.digests.set(list, (digested = digestTools(list)));
    return digested;
  }

  /** Stores the baseline, or the definitions that are new since. @returns see `Review.againAt` */
  private async recordUnknown(
    { id }: PinnedConnector,
    list: readonly Tool[],
    digested: readonly DigestedTool<Tool>[],
  ): Promise<number> {
    const { store, now, log } = this.dependencies;
    // An upstream that lists no tools has nothing to compare later lists with.
    if (digested.length === 0) return Infinity;
    const pins = await this.sets.get(id);
    if (!pins.hasBaseline) {
      const isTaken = await store.takeBaseline(id, digested.map(addText));
      this.sets.forget(id);
      if (isTaken) log.info({ connector: id, tools: digested.length }, 'the definitions of tools are pinned');
    }
    const { statuses } = await this.sets.get(id);
    const unknown = digested.filter((one) => !statuses.has(getPinKey(one)));
    if (unknown.length > 0) {
      const nextAt = this.limit.take(id);
      if (nextAt !== undefined) return nextAt;
      const { tools, unrecorded } = await store.record(id, unknown.map(addText));
      this.sets.forget(id);
      if (tools.length > 0 || unrecorded > 0)
        log.warn(
          { connector: id, changes: tools.length, unrecorded, tools: tools.slice(0, MAX_LOGGED) },
          'definitions of tools have changed since an administrator accepted them',
        );
    }
    const pending = digested.filter((one) => statuses.get(getPinKey(one)) === 'pending');
    if (pending.length > 0 && now() - (this.touchedAt.get(list) ?? -Infinity) >= TOUCH_MS) {
      this.touchedAt.set(list, now());
      await store.touch(id, pending);
    }
    return pending.length + unknown.length > 0 ? now() + TOUCH_MS : Infinity;
  }

  /** Keeps the decision about a list. Equal decisions about it are the same object. */
  private keep(
    { pinning }: PinnedConnector,
    list: readonly Tool[],
    digested: readonly DigestedTool<Tool>[],
    pins: ToolPinSet,
    againAt: number,
  ): readonly Tool[] {
    const offered = digested.filter((one) => isOffered(pinning, pins, one)).map(({ definition }) => definition);
    const before = this.reviews.get(list)?.tools ?? list;
    const isSame = before.length === offered.length && before.every((tool, at) => tool === offered[at]);
    const tools = isSame ? before : offered;
    this.reviews.set(list, { pinning, pins, tools, againAt });
    return tools;
  }
}

const addText = ({ tool, hash, definition }: DigestedTool<Tool>) => ({
  tool,
  hash,
  text: serializeCanonicalJson(definition),
});

/** Whether users get a tool. A rejected definition is never offered. */
function isOffered(pinning: ToolPinning, pins: ToolPinSet, tool: DigestedTool<Tool>): boolean {
  const status = pins.statuses.get(getPinKey(tool));
  if (status === 'rejected') return false;
  return pinning === 'warn' || status === 'baseline' || status === 'accepted';
}
