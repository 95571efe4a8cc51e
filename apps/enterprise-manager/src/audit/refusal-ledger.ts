import { LRUCache } from 'lru-cache';

/** A caller who was refused an operation. */
export interface RefusedCall {
  issuer: string;
  subject: string;
  requestId: string;
  operation: string;
  object_id: string | null;
}

/** Refusals that were only counted. */
export interface CountedRefusals {
  /** The first of them. */
  call: RefusedCall;
  occurrences: number;
}

/** How many refusals are written line by line. */
export interface RefusalBounds {
  /** Lines of one caller at once. */
  burst: number;
  /** Lines of one caller a second, in the long run. */
  perSecond: number;
  /** Callers who are remembered at a time. */
  callers: number;
}

interface Refused {
  lines: number;
  at: number;
  /** Operations with a line since the counts were last taken. */
  written: Set<string>;
  counted: Map<string, CountedRefusals>;
}

/**
 * Bounds what one caller can add to the audit trail by being refused. A caller has a line for every
 * refusal at an ordinary pace. Beyond it, the first refusal of each operation still has its line at
 * once, and the further ones are counted into one line for each operation.
 */
export class RefusalLedger {
  private readonly callers: LRUCache<string, Refused>;
  private evicted: CountedRefusals[] = [];

  constructor(private readonly bounds: RefusalBounds) {
    this.callers = new LRUCache({
      max: bounds.callers,
      dispose: ({ counted }, _, reason) => {
        if (reason === 'evict') this.evicted.push(...counted.values());
      },
    });
  }

  /**
   * @param now milliseconds
   * @returns whether the refusal has a line of its own; otherwise it is counted
   */
  note(call: RefusedCall, now: number): 'line' | 'counted' {
    const refused = this.refusedOf(JSON.stringify([call.issuer, call.subject]), now);
    const earned = (Math.max(0, now - refused.at) / 1_000) * this.bounds.perSecond;
    refused.lines = Math.min(this.bounds.burst, refused.lines + earned);
    refused.at = now;
    if (refused.lines >= 1 || !refused.written.has(call.operation)) {
      refused.lines = Math.max(0, refused.lines - 1);
      refused.written.add(call.operation);
      return 'line';
    }
    const counted = refused.counted.get(call.operation);
    if (counted) counted.occurrences += 1;
    else refused.counted.set(call.operation, { call, occurrences: 1 });
    return 'counted';
  }

  /** Hands over the counts since the last time. */
  take(): CountedRefusals[] {
    const taken = this.evicted;
    this.evicted = [];
    for (const refused of this.callers.rvalues()) {
      if (refused === undefined) continue;
      taken.push(...refused.counted.values());
      refused.counted.clear();
      refused.written.clear();
    }
    return taken;
  }

  private refusedOf(key: string, now: number): Refused {
    const known = this.callers.get(key);
    if (known !== undefined) return known;
    const refused: Refused = { lines: this.bounds.burst, at: now, written: new Set(), counted: new Map() };
    this.callers.set(key, refused);
    return refused;
  }
}
