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
  private readonly callers = new Map<string, Refused>();
  private evicted: CountedRefusals[] = [];

  constructor(private readonly bounds: RefusalBounds) {}

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
    for (const refused of this.callers.values()) {
      taken.push(...refused.counted.values());
      refused.counted.clear();
      refused.written.clear();
    }
    return taken;
  }

  private refusedOf(key: string, now: number): Refused {
    const known = this.callers.get(key);
    const refused = known ?? { lines: this.bounds.burst, at: now, written: new Set(), counted: new Map() };
    // Whoever was refused last is forgotten last.
    this.callers.delete(key);
    this.callers.set(key, refused);
    const [oldest] = this.callers;
    if (this.callers.size > this.bounds.callers && oldest !== undefined) {
      this.evicted.push(...oldest[1].counted.values());
      this.callers.delete(oldest[0]);
    }
    return refused;
  }
}
