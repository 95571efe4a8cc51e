import { Breaker, type BreakerOptions } from '@gatehouse/retry/breaker';

/** One granted attempt. Its user calls exactly one of these methods. */
export interface Attempt {
  recordSuccess(): void;
  /**
   * @param scope `all`: the upstream failed; `owner`: the upstream refused or failed this owner's
   * request
   */
  recordFailure(error: unknown, scope: FailureScope): void;
  /** Ends the attempt without a result. */
  abandon(): void;
}

/** The requests that a failure affects: of all owners, or of the owner of the request. */
export type FailureScope = 'all' | 'owner';

interface OwnerBreaker {
  breaker: Breaker;
  usedAt: number;
}

/**
 * The circuit breakers of one connector: a shared one, and one for each owner. An owner is a user,
 * or the gateway for its lists. Failures that a request of one owner can cause open only the
 * breaker of this owner.
 */
export class Breakers {
  private readonly shared: Breaker;
  private readonly ownerBreakers = new Map<string, OwnerBreaker>();

  constructor(private readonly options: BreakerOptions) {
    this.shared = new Breaker(options);
  }

  /** Begins an attempt, or returns the breaker that refuses it. */
  begin(owner: string): Attempt | FailureScope {
    if (!this.shared.tryPass()) return 'all';
    const own = this.ownerBreakers.get(owner)?.breaker;
    if (own?.tryPass() === false) {
      this.shared.abandon();
      return 'owner';
    }
    return {
      recordSuccess: () => {
        this.shared.recordSuccess();
        this.ownerBreakers.delete(owner);
      },
      recordFailure: (error, scope) => {
        const cause = error instanceof Error ? error : new Error('an upstream failed', { cause: error });
        if (scope === 'all') {
          this.shared.recordFailure(cause);
          own?.abandon();
        } else {
          this.shared.abandon();
          this.getOwnerBreaker(owner).recordFailure(cause);
        }
      },
      abandon: () => {
        this.shared.abandon();
        own?.abandon();
      },
    };
  }

  /** Forgets the failures of owners without a request in this time. */
  sweep(idleMs: number): void {
    const oldest = this.options.now() - idleMs;
    for (const [owner, { usedAt }] of this.ownerBreakers) if (usedAt < oldest) this.ownerBreakers.delete(owner);
  }

  private getOwnerBreaker(owner: string): Breaker {
    const known = this.ownerBreakers.get(owner);
    const entry = known ?? { breaker: new Breaker(this.options), usedAt: 0 };
    entry.usedAt = this.options.now();
    if (known === undefined) this.ownerBreakers.set(owner, entry);
    return entry.breaker;
  }
}
