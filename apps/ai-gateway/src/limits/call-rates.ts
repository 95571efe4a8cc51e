import type { GatewayLimits } from '@gatehouse/ai-resources/generated/types';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ModelCallError } from '../formats/model-call-error.ts';

/** The limiters count only: the AIGateway names the limits, which can change at any time. */
const COUNTER = { points: Number.MAX_SAFE_INTEGER, duration: 60 };

/** Tokens of a call that were counted at its start. */
export interface CountedTokens {
  /** Corrects the count at the end of the call. @param used the tokens of all of its attempts */
  correct(used: number): void;
}

/**
 * Limits the requests and the tokens of each user in a minute, on this replica. The minute begins
 * with the first request of the user, who is forgotten at its end. This bounds the memory.
 */
export class CallRates {
  private readonly requests = new RateLimiterMemory(COUNTER);
  private readonly tokens = new RateLimiterMemory(COUNTER);

  /** Counts a request. @throws ModelCallError `rate_limited` until the end of the minute */
  async countRequest(owner: string, limits: GatewayLimits): Promise<void> {
    const { requestsPerMinutePerPrincipal: limit } = limits;
    if (limit === undefined) return;
    const { consumedPoints, msBeforeNext } = await this.requests.penalty(owner);
    if (consumedPoints > limit) throw createRateError('requests', limit, msBeforeNext);
  }

  /**
   * Counts the estimated tokens of a call. A call that is larger than the limit is admitted alone
   * in its minute: it could never run otherwise.
   * @param estimate the tokens of the prompt; those of the answer are not known yet
   * @returns undefined without a limit
   * @throws ModelCallError `rate_limited` until the end of the minute
   */
  async countTokens(owner: string, limits: GatewayLimits, estimate: number): Promise<CountedTokens | undefined> {
    const { tokensPerMinutePerPrincipal: limit } = limits;
    if (limit === undefined) return undefined;
    // The count grows before the first wait, so that calls at the same time see each other.
    const { consumedPoints, msBeforeNext } = await this.tokens.penalty(owner, estimate);
    if (consumedPoints > limit && consumedPoints > estimate) {
      await this.tokens.reward(owner, estimate);
      throw createRateError('tokens', limit, msBeforeNext);
    }
    const endsAt = Date.now() + msBeforeNext;
    return { correct: (used) => this.correct(owner, used - estimate, endsAt) };
  }

  /** More tokens count in the current minute. Fewer are given back to that of the estimate. */
  private correct(owner: string, difference: number, endsAt: number): void {
    if (difference > 0) void this.tokens.penalty(owner, difference);
    else if (difference < 0 && Date.now() < endsAt) void this.tokens.reward(owner, -difference);
  }
}

const createRateError = (unit: 'requests' | 'tokens', limit: number, retryAfterMs: number) =>
  new ModelCallError(
    'rate_limited',
    `You have used the ${limit} ${unit} that the gateway serves to you in a minute. Try again later.`,
    { retryAfterMs, reason: `${unit}_per_minute_per_principal` },
  );
