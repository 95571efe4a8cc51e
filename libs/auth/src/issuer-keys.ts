import { createLocalJWKSet } from 'jose';
import type { JSONWebKeySet, JWK } from 'jose';
import { AuthError } from './auth-error.ts';
import { readBoundedText } from './bounded-text.ts';

/** Shortest time between two requests for an issuer's keys because of unknown keys. */
const REFETCH_MS = 30_000;
/** Shortest time between two requests while no keys are known. */
const COLD_RETRY_MS = 1_000;
/** Age at which keys in use are requested again in the background. */
const REFRESH_MS = 30_000;
/**
 * Longest time for which a withdrawn key is still accepted. Older keys are requested again before
 * their next use.
 */
const MAX_AGE_MS = 60_000;
const MAX_DOCUMENT_BYTES = 512 * 1024;
const MAX_KEYS = 100;

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Reads a key document (RFC 7517, section 5) without a request. */
export type KeySetReader = () => Promise<Record<string, unknown>>;

/** The dependencies of IssuerKeys. */
export interface IssuerKeysOptions {
  issuer: string;
  jwksUri: string | undefined;
  readKeySet?: KeySetReader | undefined;
  now: () => Date;
  fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  timeoutMs: number;
}

/**
 * The public keys of one issuer. They are requested at their first use, every 30 s while they are
 * in use, and at most once in 30 s because of unknown keys. Concurrent callers share one request.
 * Known keys stay in use while the issuer does not answer.
 */
export class IssuerKeys {
  /** Grows when the keys change. A result of an older generation is no longer valid. */
  generation = 0;
  private keys: KeySet | undefined;
  private text = '';
  private fetchedAt = 0;
  /** The start of the last finished request, successful or not. */
  private finishedAt = Number.NEGATIVE_INFINITY;
  /** The start of the last request. */
  private startedAt = Number.NEGATIVE_INFINITY;
  /** The start of the last request because of an unknown key. */
  private refetchedAt = Number.NEGATIVE_INFINITY;
  private failure: unknown;
  private inFlight: Promise<void> | undefined;

  constructor(private readonly options: IssuerKeysOptions) {}

  /**
   * The keys, after a request when none are known or when they are stale. Stale keys stay in use
   * when the request fails.
   * @throws AuthError unavailable
   */
  async getCurrent(): Promise<KeySet> {
    if (this.keys && !this.isStale) this.refreshInBackground();
    else if (this.inFlight || this.now() - this.startedAt >= COLD_RETRY_MS) await this.fetchOnce();
    if (!this.keys) throw this.createUnavailableError();
    return this.keys;
  }

  /**
   * Requests the keys because a token names an unknown one.
   * @returns undefined after such a request within the last 30 s
   * @throws AuthError unavailable when the request fails: the key may be genuine
   */
  async refetch(): Promise<KeySet | undefined> {
    if (this.inFlight) await this.inFlight;
    else if (this.now() - this.refetchedAt >= REFETCH_MS) {
      this.refetchedAt = this.now();
      await this.fetchOnce();
    } else if (this.failure === undefined) return undefined;
    if (this.failure !== undefined) throw this.createUnavailableError();
    return this.keys;
  }

  /** Requests the keys in the background when they are 30 s old. The known keys stay in use. */
  refreshInBackground(): void {
    const now = this.now();
    if (now - this.fetchedAt >= REFRESH_MS && now - this.startedAt >= REFRESH_MS) void this.fetchOnce();
  }

  /** Whether the last response is so old that a key may have been withdrawn since. */
  get isStale(): boolean {
    return this.now() - this.finishedAt >= MAX_AGE_MS;
  }

  private now(): number {
    return this.options.now().getTime();
  }

  private createUnavailableError(): AuthError {
    return new AuthError('unavailable', `the issuer ${this.options.issuer} does not answer with its keys`, {
      cause: this.failure,
    });
  }

  /** It does not reject: the outcome is in `keys` and `failure`. */
  private fetchOnce(): Promise<void> {
    this.inFlight ??= this.load().finally(() => {
      this.inFlight = undefined;
    });
    return this.inFlight;
  }

  private async load(): Promise<void> {
    const startedAt = this.now();
    this.startedAt = startedAt;
    try {
      const set = parseKeySet(await this.readDocument());
      const text = JSON.stringify(set);
      if (text !== this.text) {
        this.keys = createLocalJWKSet(set);
        this.text = text;
        this.generation += 1;
      }
      this.fetchedAt = startedAt;
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
    this.finishedAt = startedAt;
  }

  private async readDocument(): Promise<Record<string, unknown>> {
    const { readKeySet, jwksUri } = this.options;
    return readKeySet === undefined ? this.fetchDocument(jwksUri ?? (await this.discover())) : readKeySet();
  }

  /** Finds the address of the keys (OpenID Connect Discovery 1.0 §4). */
  private async discover(): Promise<string> {
    const { issuer } = this.options;
    const found = await this.fetchDocument(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (found['issuer'] !== issuer) throw new Error('the discovery document is of another issuer');
    const uri = found['jwks_uri'];
    if (typeof uri !== 'string' || !URL.canParse(uri)) throw new Error('the discovery document has no jwks_uri');
    const { protocol } = new URL(uri);
    if (protocol !== 'https:' && !(protocol === 'http:' && issuer.startsWith('http:')))
      throw new Error('jwks_uri must be https, as the issuer is');
    return uri;
  }

  private async fetchDocument(uri: string): Promise<Record<string, unknown>> {
    const response = await this.options.fetch(uri, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(this.options.timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`${uri} answers ${response.status}`);
    }
    const parsed: unknown = JSON.parse(await readBoundedText(response, MAX_DOCUMENT_BYTES));
    if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
      throw new Error(`${uri} is not a JSON object`);
    return parsed as Record<string, unknown>;
  }
}

/**
 * The public signature keys of a key document. A symmetric key that an issuer published by mistake
 * verifies no token.
 */
function parseKeySet(document: Record<string, unknown>): JSONWebKeySet {
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
