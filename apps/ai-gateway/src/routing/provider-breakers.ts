import { Breaker } from '@gatehouse/retry/breaker';
import type { ProviderHealth } from './backend-order.ts';

/** Consecutive failures after which a provider counts as failing, and for how long it does. */
const THRESHOLD = 5;
const OPEN_MS = 10_000;
const MAX_PROVIDERS = 1_000;

/** The health of providers on this replica, from the results of their requests. */
export class ProviderBreakers implements ProviderHealth {
  private readonly breakers = new Map<string, Breaker>();

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number) {}

  isHealthy(provider: string): boolean {
    return this.breakers.get(provider)?.isOpen !== true;
  }

  recordSuccess(provider: string): void {
    this.breakers.get(provider)?.recordSuccess();
  }

  /** Records a failure of the provider itself: no answer, or a status of 500 and more. */
  recordFailure(provider: string, cause: object): void {
    let breaker = this.breakers.get(provider);
    if (breaker === undefined) {
      if (this.breakers.size >= MAX_PROVIDERS) this.breakers.clear();
      breaker = new Breaker({ threshold: THRESHOLD, openMs: OPEN_MS, now: this.now });
      this.breakers.set(provider, breaker);
    }
    breaker.recordFailure(cause);
  }
}
