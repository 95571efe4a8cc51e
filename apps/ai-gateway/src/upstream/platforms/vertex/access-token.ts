import { Backoff } from '@gatehouse/retry/backoff';
import type { IssuedToken } from './token-request.ts';

/** A token is renewed in the background so long before its end, and not used at its very end. */
const RENEWAL_MS = 300_000;
const END_MS = 30_000;
/** A token of this age that is refused is not renewed: its account lacks a right. */
const FRESH_MS = 10_000;
const PAUSES = { firstMs: 1_000, longestMs: 30_000 };

interface CurrentToken {
  readonly token: string;
  readonly issuedAt: number;
  readonly renewAt: number;
  readonly endsAt: number;
}

/**
 * The access token of one credential. Calls share one request of a token, and none waits while the
 * current token is valid. After a failure, calls fail for a while without a request.
 */
export class AccessToken {
  private current: CurrentToken | undefined;
  private pending: Promise<string> | undefined;
  private failure: { readonly error: Error; readonly until: number } | undefined;
  private readonly pauses = new Backoff(PAUSES);

  /** @param now milliseconds of a clock */
  constructor(
    private readonly request: () => Promise<IssuedToken>,
    private readonly now: () => number,
  ) {}

  /** Returns a valid token, at once if there is one. @throws the error of the request */
  get(): string | Promise<string> {
    const { current } = this;
    const now = this.now();
    if (current === undefined || now >= current.endsAt) return this.renew();
    // The current token is good until the renewal has succeeded.
    if (now >= current.renewAt) this.renew().catch(() => undefined);
    return current.token;
  }

  /** Forgets a token that was refused, unless it is new. */
  forget(): void {
    if (this.current !== undefined && this.now() - this.current.issuedAt >= FRESH_MS) this.current = undefined;
  }

  private renew(): Promise<string> {
    if (this.pending !== undefined) return this.pending;
    if (this.failure !== undefined && this.now() < this.failure.until) return Promise.reject(this.failure.error);
    this.pending = this.replace().finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async replace(): Promise<string> {
    try {
      const { token, lifetimeMs } = await this.request();
      const issuedAt = this.now();
      const renewAt = issuedAt + Math.max(lifetimeMs - RENEWAL_MS, lifetimeMs / 2);
      const endsAt = issuedAt + Math.max(lifetimeMs - END_MS, lifetimeMs * 0.9);
      this.current = { token, issuedAt, renewAt, endsAt };
      this.failure = undefined;
      this.pauses.reset();
      return token;
    } catch (error) {
      this.failure = { error: error as Error, until: this.now() + this.pauses.next() };
      throw error;
    }
  }
}
