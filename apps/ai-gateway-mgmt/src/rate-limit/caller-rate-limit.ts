import type { Caller } from '@gatehouse/service-kit/access';
import type { CallerRule } from '@gatehouse/service-kit/caller-rule';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_SECONDS = 60;

/** Refuses a caller (issuer and subject) that sends too many requests to this replica. */
export class CallerRateLimit implements CallerRule {
  private readonly limiter: RateLimiterMemory;

  /** @param perMinute the largest number of requests of one caller in a minute */
  constructor(perMinute: number) {
    this.limiter = new RateLimiterMemory({ points: perMinute, duration: MINUTE_SECONDS });
  }

  async findError({ issuer, subject }: Pick<Caller, 'issuer' | 'subject'>): Promise<HttpError | undefined> {
    try {
      await this.limiter.consume(JSON.stringify([issuer, subject]));
      return undefined;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const retryAfterMs = refusal.msBeforeNext;
      return new HttpError('rate_limited', 'you have sent too many requests; try again later', { retryAfterMs });
    }
  }
}
