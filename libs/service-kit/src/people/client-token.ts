import { configuredFetch } from '@gatehouse/egress/configured';
import { z } from 'zod';

/** The token endpoint and the client of a service's own access token. */
export interface ClientTokenOptions {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** Further form fields that an issuer may want, for example `audience`, `resource` or `scope`. */
  parameters: Readonly<Record<string, string>>;
  now: () => number;
}

const TokenResponse = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().default(60) });

const TIMEOUT_MS = 5_000;
/** A token is replaced this long before it ends, or after half of a short life. */
const MARGIN_MS = 30_000;

/**
 * The access token of this service by client credentials (RFC 6749 §4.4), kept until shortly before
 * it ends.
 */
export class ClientToken {
  private held: { token: string; until: number } | undefined;
  private asking: Promise<string> | undefined;

  private readonly send: ReturnType<typeof configuredFetch>;

  constructor(private readonly options: ClientTokenOptions) {
    this.send = configuredFetch([options.tokenUrl]);
  }

  /** A token that is still good for a while; callers at the same time share one request. */
  get(): Promise<string> {
    if (this.held !== undefined && this.held.until > this.options.now()) return Promise.resolve(this.held.token);
    this.asking ??= this.fetch().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  /** Forgets a token that was refused, unless it was replaced already. */
  refused(token: string): void {
    if (this.held?.token === token) this.held = undefined;
  }

  private async fetch(): Promise<string> {
    const { tokenUrl, clientId, clientSecret, parameters, now } = this.options;
    // RFC 6749 §2.3.1: id and secret are form-encoded before they become the two halves of HTTP
    // Basic.
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
    this.held = { token, until: now() + Math.max(lifeMs - MARGIN_MS, lifeMs / 2) };
    return token;
  }
}
