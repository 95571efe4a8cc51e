import { LRUCache } from 'lru-cache';
import type { IssuedCredential } from './credential-source.ts';

/** Most credentials in memory. */
const MAX_CREDENTIALS = 10_000;

/** Time for which a credential is used whose provider names no lifetime. */
const UNKNOWN_LIFE_MS = 300_000;

/** Time for which a failure is the answer to further requests, so that no provider is flooded. */
const FAILURE_MS = 2_000;

/** Time after a renewal in which a refused credential is not renewed again. */
const RENEWAL_PAUSE_MS = 10_000;

/** A credential in the cache. Each has an identity of its own. */
export interface CachedCredential<Value> {
  readonly value: Value;
  /** The time from which it is renewed if the upstream refuses it, in milliseconds. */
  readonly settledAt: number;
}

type Outcome<Value> = CachedCredential<Value> | { readonly error: Error };

interface Request<Value> {
  readonly obtain: () => Promise<IssuedCredential<Value>>;
  readonly isRenewal: boolean;
}

/**
 * The obtained credentials in memory. Concurrent requests for one key share one request to the
 * provider. A credential is dropped before its expiry, and at the latest with the process.
 */
export class CredentialCache<Value> {
  private readonly outcomes: LRUCache<string, Outcome<Value>, Request<Value>>;

  constructor(private readonly now: () => number) {
    this.outcomes = new LRUCache<string, Outcome<Value>, Request<Value>>({
      max: MAX_CREDENTIALS,
      ttl: UNKNOWN_LIFE_MS,
      ttlResolution: 0,
      perf: { now },
      // The provider has issued the credential also for a caller that is gone.
      ignoreFetchAbort: true,
      fetchMethod: async (_key, _stale, { options, context: { obtain, isRenewal } }) => {
        try {
          const obtained = await obtain();
          options.ttl = this.getLife(obtained);
          return { value: obtained.value, settledAt: isRenewal ? this.now() + RENEWAL_PAUSE_MS : 0 };
        } catch (error) {
          options.ttl = FAILURE_MS;
          return {
            error: error instanceof Error ? error : new Error('the credential was not issued', { cause: error }),
          };
        }
      },
    });
  }

  /**
   * The credential of a key.
   * @param refused the one that the upstream refused, which is renewed if it is still present
   * @throws the error of `obtain`
   */
  async get(
    key: string,
    obtain: () => Promise<IssuedCredential<Value>>,
    refused?: CachedCredential<Value>,
  ): Promise<CachedCredential<Value>> {
    const isRenewal = refused !== undefined && this.outcomes.peek(key) === refused;
    if (isRenewal && this.now() < refused.settledAt) return refused;
    const outcome = await this.outcomes.fetch(key, { context: { obtain, isRenewal }, forceRefresh: isRenewal });
    if (outcome === undefined) throw new Error('the credential was not issued');
    if ('error' in outcome) throw outcome.error;
    return outcome;
  }

  /** At least 1 ms: 0 would mean for ever. */
  private getLife({ expiresAt, skewMs }: IssuedCredential<Value>): number {
    if (expiresAt === undefined) return UNKNOWN_LIFE_MS;
    const lifeMs = expiresAt - this.now();
    return Math.max(1, Math.floor(lifeMs > 2 * skewMs ? lifeMs - skewMs : lifeMs / 2));
  }
}
