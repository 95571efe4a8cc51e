import { hash } from 'node:crypto';
import { InvalidProviderError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { exchangeToken, TokenType } from '@gatehouse/oauth-client/exchange';
import { createProvider, type Provider } from '@gatehouse/oauth-client/provider';
import { LRUCache } from 'lru-cache';
import { createIssuerFetch } from './issuer-fetch.ts';
import type { TokenExchangeOptions } from './token-exchange-options.ts';

const CAPACITY = 2_000;
const MAX_REQUESTS = 100;
const TIMEOUT_SECONDS = 10;
/** A token is replaced this long before its expiry; a short-lived one after 90 % of its time. */
const EARLY_MS = 30_000;
/** Use of a token whose lifetime the server does not tell. */
const UNKNOWN_LIFETIME_MS = 60_000;
/** The form of a bearer token (RFC 6750, section 2.1), which a header can carry. */
const BEARER_TOKEN = /^[\w.~+/-]+=*$/;
const SUBJECT_TOKEN_TYPES = { access_token: TokenType.accessToken, id_token: TokenType.idToken, jwt: TokenType.jwt };

interface CachedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/**
 * The tokens for the server, by the SHA-256 of the tokens of the callers. Each is kept until
 * shortly before its expiry. Concurrent requests of one caller share an exchange.
 */
export class ExchangedTokens {
  private readonly tokens: LRUCache<string, CachedToken>;
  private readonly pending = new Map<string, Promise<string>>();
  private readonly provider: Provider;

  constructor(
    private readonly options: TokenExchangeOptions,
    private readonly now: () => number = Date.now,
    capacity = CAPACITY,
  ) {
    this.tokens = new LRUCache({ max: capacity });
    const { tokenUrl, clientId, clientSecret } = options;
    const client =
      clientId === undefined
        ? { clientId: 'none', authMethod: 'omitted' as const }
        : { clientId, ...(clientSecret !== undefined && { clientSecret }) };
    const fetch = createIssuerFetch(options);
    // The fetch itself decides about http.
    const http = { fetch: (url: string, init: RequestInit) => fetch(url, init), timeoutS: TIMEOUT_SECONDS };
    const metadata = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
    this.provider = createProvider(metadata, client, { ...http, allowsHttp: true });
  }

  /** The number of kept tokens. */
  get size(): number {
    return this.tokens.size;
  }

  /** The kept token of a caller. */
  recall(subjectToken: string): string | undefined {
    const kept = this.tokens.get(hashToken(subjectToken));
    return kept !== undefined && this.now() < kept.until ? kept.token : undefined;
  }

  /**
   * The token of a caller, after an exchange where none is kept.
   * @throws ProviderRefusalError, ProviderUnavailableError, InvalidProviderError
   */
  async get(subjectToken: string): Promise<string> {
    const known = this.recall(subjectToken);
    if (known !== undefined) return known;
    const key = hashToken(subjectToken);
    const running = this.pending.get(key);
    if (running !== undefined) return running;
    if (this.pending.size >= MAX_REQUESTS) throw new ProviderUnavailableError('too many exchanges are open');
    const exchange = this.exchange(key, subjectToken).finally(() => this.pending.delete(key));
    this.pending.set(key, exchange);
    return exchange;
  }

  private async exchange(key: string, subjectToken: string): Promise<string> {
    const { audience, scopes = [], subjectTokenType = 'access_token' } = this.options;
    const now = this.now();
    const { accessToken, expiresAt = now + UNKNOWN_LIFETIME_MS } = await exchangeToken(this.provider, {
      subjectToken,
      subjectTokenType: SUBJECT_TOKEN_TYPES[subjectTokenType],
      requestedTokenType: TokenType.accessToken,
      audience,
      scope: scopes.length === 0 ? undefined : scopes.join(' '),
      now,
    });
    if (!BEARER_TOKEN.test(accessToken)) throw new InvalidProviderError('the new token cannot stand in a header');
    const until = expiresAt - Math.min(EARLY_MS, (expiresAt - now) / 10);
    this.tokens.set(key, { token: accessToken, until });
    return accessToken;
  }
}

const hashToken = (token: string): string => hash('sha256', token, 'base64url');
