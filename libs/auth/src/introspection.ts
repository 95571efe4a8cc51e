import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { AuthError } from './auth-error.ts';
import { readBoundedText } from './bounded-text.ts';

/** The introspection endpoint of an issuer (RFC 7662). */
export interface IntrospectionConfig {
  endpoint: string;
  /**
   * The client of the verifier at the endpoint, which authenticates with HTTP Basic. Without a
   * secret, the request names no client.
   */
  client_id?: string | undefined;
  client_secret?: string | undefined;
  /** Longest use of an active response in milliseconds, at most until `exp`; default 60,000. */
  max_age_ms?: number | undefined;
  /**
   * Whether tokens that are not JWTs are introspected here; default true. At most one issuer can
   * have it, since every other one would see tokens that are not its own.
   */
  opaque_tokens?: boolean | undefined;
  /** Whether JWTs are introspected too, and not verified by the keys; default true. */
  jwts?: boolean | undefined;
}

/** The dependencies of an introspection. */
export interface IntrospectionOptions {
  issuer: string;
  config: IntrospectionConfig;
  now: () => Date;
  fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** Longest time of one request, in milliseconds. */
  timeoutMs: number;
}

const MAX_AGE_MS = 60_000;
/** Time for which an inactive token is refused without a new request. */
const INACTIVE_AGE_MS = 5_000;
const CAPACITY = 2_000;
const MAX_REQUESTS = 100;
const MAX_RESPONSE_BYTES = 64 * 1024;

/** The members of a response about an active token. */
export type IntrospectedClaims = Readonly<Record<string, unknown>>;

interface CachedResponse {
  /** Undefined: the token is not active. */
  claims: IntrospectedClaims | undefined;
  requestedAt: number;
  until: number;
}

/**
 * Asks an issuer about tokens (RFC 7662). Responses are cached by the SHA-256 of the token, and
 * concurrent callers with the same token share a request. Without a usable response a token is not
 * accepted.
 */
export class Introspection {
  private readonly active = new LRUCache<string, CachedResponse>({ max: CAPACITY });
  /** A cache of its own: a flood of invalid tokens does not evict valid ones. */
  private readonly inactive = new LRUCache<string, CachedResponse>({ max: CAPACITY });
  private readonly pending = new Map<string, Promise<CachedResponse>>();

  constructor(private readonly options: IntrospectionOptions) {}

  /**
   * The claims of an active token, not yet checked.
   * @throws AuthError inactive, or unavailable without a usable response
   */
  async getClaims(token: string): Promise<IntrospectedClaims> {
    const key = hash('sha256', token, 'base64url');
    const { claims } = this.findCached(key) ?? (await this.shareRequest(key, token));
    if (claims === undefined) throw new AuthError('inactive', 'the issuer of the token says that it is not active');
    return claims;
  }

  private findCached(key: string): CachedResponse | undefined {
    const now = this.options.now().getTime();
    const response = this.active.get(key) ?? this.inactive.get(key);
    // A response from the future is from before the clock was set back.
    return response !== undefined && response.requestedAt <= now && now < response.until ? response : undefined;
  }

  private shareRequest(key: string, token: string): Promise<CachedResponse> {
    const running = this.pending.get(key);
    if (running !== undefined) return running;
    if (this.pending.size >= MAX_REQUESTS)
      return Promise.reject(new AuthError('unavailable', 'too many tokens wait for introspection'));
    const request = this.requestClaims(token)
      .then((response) => {
        this.active.delete(key);
        (response.claims === undefined ? this.inactive : this.active).set(key, response);
        return response;
      })
      .finally(() => this.pending.delete(key));
    this.pending.set(key, request);
    return request;
  }

  private async requestClaims(token: string): Promise<CachedResponse> {
    const askedAt = this.options.now().getTime();
    const { active, ...claims } = await this.request(token).catch((cause: unknown) => {
      throw new AuthError('unavailable', `the issuer ${this.options.issuer} cannot be asked about the token`, {
        cause,
      });
    });
    if (!active) return { claims: undefined, requestedAt: askedAt, until: askedAt + INACTIVE_AGE_MS };
    const maxAgeMs = this.options.config.max_age_ms ?? MAX_AGE_MS;
    const expiresAt = typeof claims.exp === 'number' ? claims.exp * 1000 : Number.NEGATIVE_INFINITY;
    return { claims, requestedAt: askedAt, until: Math.min(askedAt + maxAgeMs, expiresAt) };
  }

  private async request(token: string): Promise<oauth.IntrospectionResponse> {
    const { issuer, config, fetch, timeoutMs } = this.options;
    const server = { issuer, introspection_endpoint: config.endpoint };
    const client = { client_id: config.client_id ?? issuer };
    const response = await oauth.introspectionRequest(
      server,
      client,
      config.client_secret === undefined ? () => undefined : oauth.ClientSecretBasic(config.client_secret),
      token,
      {
        additionalParameters: { token_type_hint: 'access_token' },
        signal: AbortSignal.timeout(timeoutMs),
        // Only for an endpoint that is configured as http, such as that of the local platform.
        // eslint-disable-next-line @typescript-eslint/no-deprecated
        [oauth.allowInsecureRequests]: config.endpoint.startsWith('http:'),
        [oauth.customFetch]: async (url, { body, headers, method, redirect, signal }) => {
          const fetched = await fetch(url, {
            body: String(body),
            headers,
            method,
            redirect,
            ...(signal !== undefined && { signal }),
          });
          const text = await readBoundedText(fetched, MAX_RESPONSE_BYTES);
          // A signed response (RFC 9701) was not requested, and its signature would not be
          // verified.
          return new Response(text, { status: fetched.status, headers: { 'content-type': requireJsonType(fetched) } });
        },
      },
    );
    return oauth.processIntrospectionResponse(server, client, response);
  }
}

function requireJsonType({ headers }: Response): string {
  const type = headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new Error('the response of the introspection endpoint is not JSON');
  return type;
}
