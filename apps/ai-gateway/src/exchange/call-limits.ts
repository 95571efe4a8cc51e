import type { GatewayLimits } from '@gatehouse/ai-resources/generated/types';
import { ModelCallError } from '../formats/model-call-error.ts';
import { CallRates } from '../limits/call-rates.ts';

/** Calls that run end at any time. */
const RETRY_MS = 1_000;

/**
 * Limits the calls that this replica serves at the same time, of all callers and of each user,
 * and the calls and tokens of each user in a minute.
 */
export class CallLimits {
  readonly rates = new CallRates();
  private all = 0;
  private readonly byOwner = new Map<string, number>();

  /**
   * Begins a call.
   * @param owner `getOwnerKey` of the caller
   * @returns a function that ends the call
   * @throws ModelCallError `rate_limited` or `unavailable`
   */
  enter(owner: string, limits: GatewayLimits | undefined): () => void {
    const own = this.byOwner.get(owner) ?? 0;
    if (own >= (limits?.concurrentRequestsPerPrincipal ?? Infinity))
      throw new ModelCallError('rate_limited', 'Too many of your requests run at the same time. Try again later.', {
        retryAfterMs: RETRY_MS,
        reason: 'concurrent_requests_per_principal',
      });
    if (this.all >= (limits?.concurrentRequests ?? Infinity))
      throw new ModelCallError('unavailable', 'The gateway serves too many requests. Try again later.', {
        retryAfterMs: RETRY_MS,
        reason: 'concurrent_requests',
      });
    this.all += 1;
    this.byOwner.set(owner, own + 1);
    return () => this.leave(owner);
  }

  private leave(owner: string): void {
    this.all -= 1;
    const own = this.byOwner.get(owner) ?? 1;
    if (own === 1) this.byOwner.delete(owner);
    else this.byOwner.set(owner, own - 1);
  }
}
