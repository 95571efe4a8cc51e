import { type Egress, openEgress } from '@gatehouse/egress/egress';
import { getAuthority } from '@gatehouse/egress/target';
import type { Log } from '@gatehouse/service-kit/log';
import { LRUCache } from 'lru-cache';
import { readServiceAccountKey, type ServiceAccountKey } from '../../../provider-credentials/service-account-key.ts';
import { ModelCallError } from '../../../formats/model-call-error.ts';
import { AccessToken } from './access-token.ts';
import { type IssuedToken, requestToken } from './token-request.ts';

/** The most credentials with a token. A new value of a secret is another one. */
const MAX_CREDENTIALS = 256;
/** The settings of tokens. */
export interface GoogleTokenOptions {
  /** Whether token endpoints may be on this machine. */
  readonly allowLoopback: boolean;
  readonly log: Pick<Log, 'warn'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const LIMITS = { connectTimeoutMs: 5_000, maxRedirects: 0, maxResponseBytes: 64 * 1024 };

/** The access tokens of service accounts in memory, by the text of the key file. */
export class GoogleTokens {
  private readonly tokens = new LRUCache<string, AccessToken>({ max: MAX_CREDENTIALS });
  private readonly open = new Map<string, Egress>();

  constructor(private readonly options: GoogleTokenOptions) {}

  /**
   * Returns an access token for a key file, at once if there is one.
   * @throws ModelCallError `unavailable`, ProviderCredentialError for a malformed key file
   */
  get(secret: string): string | Promise<string> {
    let token = this.tokens.get(secret);
    if (token === undefined) {
      token = this.createToken(secret);
      this.tokens.set(secret, token);
    }
    return token.get();
  }

  /** Forgets the token of a key file, because Google refused it. */
  forget(secret: string): void {
    this.tokens.get(secret)?.forget();
  }

  /** Closes all connections and forgets all tokens. */
  async close(): Promise<void> {
    this.tokens.clear();
    await Promise.all([...this.open.values()].map((egress) => egress.close()));
    this.open.clear();
  }

  private createToken(secret: string): AccessToken {
    const account = readServiceAccountKey(secret);
    return new AccessToken(() => this.request(account), this.now);
  }

  private get now(): () => number {
    return this.options.now ?? Date.now;
  }

  /** Failures are rare, because a token pauses after each. */
  private async request(account: ServiceAccountKey): Promise<IssuedToken> {
    try {
      return await requestToken(account, this.getEgress(account.tokenUrl).fetch, this.now());
    } catch (error) {
      const reason = error instanceof ModelCallError ? error.reason : undefined;
      this.options.log.warn(
        { account: account.email, reason },
        'a service account got no access token of Google Cloud',
      );
      throw error;
    }
  }

  /** The hosts of token endpoints are fixed, so that a private address is one of the company. */
  private getEgress(tokenUrl: string): Egress {
    const authority = getAuthority(new URL(tokenUrl));
    const { allowLoopback } = this.options;
    const egress =
      this.open.get(authority) ?? openEgress({ authority, allowPrivateIps: true, allowLoopback }, { limits: LIMITS });
    this.open.set(authority, egress);
    return egress;
  }
}
