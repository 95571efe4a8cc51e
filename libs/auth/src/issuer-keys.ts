import { createLocalJWKSet } from 'jose';
import type { JSONWebKeySet, JWK } from 'jose';
import { AuthError } from './auth-error.ts';
import { textWithin } from './bounded-text.ts';

/** Least time between two refetches of one issuer's keys because of tokens with unknown keys. */
const REFETCH_MS = 30_000;
/** After a failed first fetch the next token may try again this much later. */
const COLD_RETRY_MS = 1_000;
/** Keys in use are fetched again in the background at this age, and at most this often. */
const REFRESH_MS = 30_000;
/**
 * A withdrawn key stops at most this long after its withdrawal. Keys that nothing refreshed for so
 * long wait for a fetch.
 */
const MAX_AGE_MS = 60_000;
const MAX_DOCUMENT_BYTES = 512 * 1024;
const MAX_KEYS = 100;

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** What IssuerKeys works with. */
export interface IssuerKeysOptions {
  issuer: string;
  jwksUri: string | undefined;
  now: () => Date;
  fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  timeoutMs: number;
}

/**
 * The public keys of one issuer: fetched when first needed, kept while the issuer is down, fetched
 * again every 30 s while they are in use, and when a token names an unknown key, which causes at
 * most one fetch in 30 s. Callers that need them at the same time share one fetch.
 */
export class IssuerKeys {
  /**
   * Grows when the keys change; what was verified under an older generation is not to be trusted.
   */
  generation = 0;
  private keys: KeySet | undefined;
  private text = '';
  private fetchedAt = 0;
  /** When the last fetch that has ended began. */
  private askedAt = Number.NEGATIVE_INFINITY;
  private triedAt = Number.NEGATIVE_INFINITY;
  private refetchedAt = Number.NEGATIVE_INFINITY;
  private failure: unknown;
  private inFlight: Promise<void> | undefined;

  constructor(private readonly options: IssuerKeysOptions) {}

  /**
   * The keys, after a fetch if there are none yet or if they are stale; stale ones are kept if it
   * fails.
   * @throws AuthError unavailable
   */
  async current(): Promise<KeySet> {
    if (this.keys && !this.isStale) this.refreshOld();
    else if (this.inFlight || this.now() - this.triedAt >= COLD_RETRY_MS) await this.fetchOnce();
    if (!this.keys) throw this.unavailable();
    return this.keys;
  }

  /**
   * The keys after a look whether the issuer has new ones, because a token names one that is not
   * here.
   * @returns undefined when a look was taken within the last 30 s
   * @throws AuthError unavailable when that look failed: the key may be genuine
   */
  async refetched(): Promise<KeySet | undefined> {
    if (this.inFlight) await this.inFlight;
    else if (this.now() - this.refetchedAt >= REFETCH_MS) {
      this.refetchedAt = this.now();
      await this.fetchOnce();
    } else if (this.failure === undefined) return undefined;
    if (this.failure !== undefined) throw this.unavailable();
    return this.keys;
  }

  /**
   * Starts a fetch in the background when the keys are not fresh; the known ones stay good
   * meanwhile.
   */
  refreshOld(): void {
    const now = this.now();
    if (now - this.fetchedAt >= REFRESH_MS && now - this.triedAt >= REFRESH_MS) void this.fetchOnce();
  }

  /** Whether nothing asked the issuer for so long that a key may have been withdrawn since. */
  get isStale(): boolean {
    return this.now() - this.askedAt >= MAX_AGE_MS;
  }

  private now(): number {
    return this.options.now().getTime();
  }

  private unavailable(): AuthError {
    return new AuthError('unavailable', `the keys of issuer ${this.options.issuer} cannot be had`, {
      cause: this.failure,
    });
  }

  /** Never rejects: the outcome is in `keys` and `failure`. */
  private fetchOnce(): Promise<void> {
    this.inFlight ??= this.load().finally(() => {
      this.inFlight = undefined;
    });
    return this.inFlight;
  }

  private async load(): Promise<void> {
    const began = this.now();
    this.triedAt = began;
    try {
      const uri = this.options.jwksUri ?? (await this.discover());
      const set = keySetOf(await this.document(uri));
      const text = JSON.stringify(set);
      if (text !== this.text) {
        this.keys = createLocalJWKSet(set);
        this.text = text;
        this.generation += 1;
      }
      this.fetchedAt = began;
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
    this.askedAt = began;
  }

  /** OpenID Connect Discovery 1.0 §4. */
  private async discover(): Promise<string> {
    const { issuer } = this.options;
    const found = await this.document(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (found['issuer'] !== issuer) throw new Error('the discovery document is of another issuer');
    const uri = found['jwks_uri'];
    if (typeof uri !== 'string' || !URL.canParse(uri)) throw new Error('the discovery document has no jwks_uri');
    const { protocol } = new URL(uri);
    if (protocol !== 'https:' && !(protocol === 'http:' && issuer.startsWith('http:')))
      throw new Error('jwks_uri must be https, as the issuer is');
    return uri;
  }

  private async document(uri: string): Promise<Record<string, unknown>> {
    const response = await this.options.fetch(uri, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(this.options.timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`${uri} answers ${response.status}`);
    }
    const parsed: unknown = JSON.parse(await textWithin(response, MAX_DOCUMENT_BYTES));
    if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
      throw new Error(`${uri} is not a JSON object`);
    return parsed as Record<string, unknown>;
  }
}

/**
 * Keys that can verify: public signature keys. A symmetric key that an issuer published by mistake
 * never gets near a token.
 */
function keySetOf(document: Record<string, unknown>): JSONWebKeySet {
  const listed: unknown = document['keys'];
  if (!Array.isArray(listed)) throw new Error('the key document has no list of keys');
  const keys = listed.filter(isVerificationKey).slice(0, MAX_KEYS);
  return { keys };
}

function isVerificationKey(key: unknown): key is JWK {
  if (key === null || typeof key !== 'object') return false;
  const { kty, use, d } = key as JWK;
  return (kty === 'RSA' || kty === 'EC' || kty === 'OKP') && (use === undefined || use === 'sig') && d === undefined;
}
