import { LRUCache } from 'lru-cache';

/** A request that was answered 403. */
export interface RefusedCall {
  issuer: string;
  subject: string;
  requestId: string;
  operation: string;
  object_id: string | null;
}

/** Counted refusals of one caller and operation. */
export interface CountedRefusals {
  /** The first counted refusal. */
  call: RefusedCall;
  occurrences: number;
}

/** Limits for refusals with an audit event of their own: a token bucket for each caller. */
export interface RefusalLimits {
  /** Maximum number of audit events of a caller at once. */
  burst: number;
  /** Audit events of a caller each second, in the long run. */
  perSecond: number;
  /** Maximum number of callers in memory. */
  maxCallers: number;
}

/** The token bucket and the counted refusals of a caller. */
interface CallerRefusals {
  tokens: number;
  /** Time of the last update of `tokens`, in milliseconds. */
  updatedAt: number;
  /** Operations with an audit event since the counts were last taken. */
  recorded: Set<string>;
  counted: Map<string, CountedRefusals>;
}

/**
 * Limits the audit events that a caller can cause by refused requests. At a normal rate every
 * refusal has its own event. At a higher rate, the first refusal of each operation has its own
 * event, and further ones are counted for one event of the operation.
 */
export class RefusalLimiter {
  private readonly callers: LRUCache<string, CallerRefusals>;
  private evicted: CountedRefusals[] = [];

  constructor(private readonly limits: RefusalLimits) {
    this.callers = new LRUCache({
      max: limits.maxCallers,
      dispose: ({ counted }, _, reason) => {
        if (reason === 'evict') this.evicted.push(...counted.values());
      },
    });
  }

  /**
   * Registers a refusal.
   * @param now milliseconds since 1970
   * @returns `event` if the refusal gets its own audit event; `counted` otherwise
   */
  register(call: RefusedCall, now: number): 'event' | 'counted' {
    const refusals = this.getRefusals(JSON.stringify([call.issuer, call.subject]), now);
    const earned = (Math.max(0, now - refusals.updatedAt) / 1_000) * this.limits.perSecond;
    refusals.tokens = Math.min(this.limits.burst, refusals.tokens + earned);
    refusals.updatedAt = now;
    if (refusals.tokens >= 1 || !refusals.recorded.has(call.operation)) {
      refusals.tokens = Math.max(0, refusals.tokens - 1);
      refusals.recorded.add(call.operation);
      return 'event';
    }
    const counted = refusals.counted.get(call.operation);
    if (counted) counted.occurrences += 1;
    else refusals.counted.set(call.operation, { call, occurrences: 1 });
    return 'counted';
  }

  /** Returns the counted refusals since the last call, and resets the counts. */
  takeCounts(): CountedRefusals[] {
    const taken = this.evicted;
    this.evicted = [];
    for (const refusals of this.callers.rvalues()) {
      if (refusals === undefined) continue;
      taken.push(...refusals.counted.values());
      refusals.counted.clear();
      refusals.recorded.clear();
    }
    return taken;
  }

  private getRefusals(key: string, now: number): CallerRefusals {
    const known = this.callers.get(key);
    if (known !== undefined) return known;
    const refusals: CallerRefusals = {
      tokens: this.limits.burst,
      updatedAt: now,
      recorded: new Set(),
      counted: new Map(),
    };
    this.callers.set(key, refusals);
    return refusals;
  }
}
