import { createConfiguredFetch } from '@gatehouse/egress/configured';
import { z } from 'zod';

/** The token endpoint and the client of a service's own access token. */
export interface ClientTokenOptions {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** Further form fields for the issuer, for example `audience`, `resource` or `scope`. */
  parameters: Readonly<Record<string, string>>;
  now: () => number;
}

const TokenResponse = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().default(60) });

const TIMEOUT_MS = 5_000;
/** A token is replaced this long before its expiry, or after half of a short lifetime. */
const MARGIN_MS = 30_000;

/**
 * The access token of this service from client credentials (RFC 6749 §4.4). It is reused until
 * shortly before its expiry.
 */
export class ClientToken {
  private current: { token: string; until: number } | undefined;
  private pending: Promise<string> | undefined;

  private readonly send: ReturnType<typeof createConfiguredFetch>;

  constructor(private readonly options: ClientTokenOptions) {
    this.send = createConfiguredFetch([options.tokenUrl]);
  }

  /** Returns a valid token. Concurrent callers share one request. */
  get(): Promise<string> {
    const { current } = this;
    if (current !== undefined && current.until > this.options.now()) return Promise.resolve(current.token);
    this.pending ??= this.fetch().finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  /** Forgets a refused token, unless it is already replaced. */
  forget(token: string): void {
    if (this.current?.token === token) this.current = undefined;
  }

  private async fetch(): Promise<string> {
    const { tokenUrl, clientId, clientSecret, parameters, now } = this.options;
    // Id and secret are form-encoded for HTTP Basic (RFC 6749 §2.3.1).
    const credentials = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(':');
    const response = await this.send(tokenUrl, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }).toString(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`the token endpoint answered ${response.status}`);
    }
    const { access_token: token, expires_in: seconds } = TokenResponse.parse(await response.json());
    const lifeMs = seconds * 1000;
    this.current = { token, until: now() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
    return token;
  }
}
