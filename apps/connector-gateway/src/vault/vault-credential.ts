import { isUnavailable } from '@gatehouse/database/unavailable';
import type { RequestHeaders } from '@gatehouse/mcp/client/connection';
import { type BearerChallenge, readChallenge } from '@gatehouse/oauth-client/challenge';
import { ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { type CredentialHeaders, NeedsAuthError } from '../mcp/ports/personal-credentials.ts';
import { CredentialError } from '../mcp/ports/upstream-secrets.ts';
import { UnusableTokenError } from './token-rules.ts';
import type { AccessTokenRequest, TokenVault } from './token-vault.ts';

/** A sent access token. */
interface SentToken {
  readonly token: string;
}

/**
 * Sends the upstream token of a user (RFC 6750, section 2.1). After a 401 the token is refreshed
 * once. When the upstream refuses the new one too, the user must sign in again.
 */
export class VaultCredential implements CredentialHeaders {
  private first: SentToken | undefined;
  private last: SentToken | undefined;
  /** The tokens that replaced a refused one. */
  private readonly renewed = new WeakSet<SentToken>();

  constructor(
    private readonly vault: Pick<TokenVault, 'getAccessToken' | 'endRefused' | 'requireScopes'>,
    private readonly source: Omit<AccessTokenRequest, 'refused'>,
  ) {}

  /** @throws NeedsAuthError; CredentialError while no token can be had */
  async create(): Promise<RequestHeaders> {
    return { authorization: `Bearer ${await this.fetchToken()}` };
  }

  getVersion(): SentToken | undefined {
    return this.last;
  }

  /** @throws as `create` */
  async renew(version: SentToken | undefined): Promise<boolean> {
    // A request that began before the first token was read sent that one, or a newer one.
    const refused = (version ?? this.first)?.token;
    if (refused === undefined) return false;
    const known = this.last?.token;
    const token = await this.fetchToken(refused);
    if (token !== known && this.last?.token === token) this.renewed.add(this.last);
    return token !== refused;
  }

  /**
   * @throws NeedsAuthError; CredentialError if the token changed during the request and was not
   * renewed yet. It is renewed then, for the next request.
   */
  async end(version: SentToken | undefined): Promise<never> {
    if (version !== undefined && !this.renewed.has(version)) {
      await this.fetchToken(version.token);
      throw new CredentialError('refused a token that is replaced now, so try again');
    }
    if (version !== undefined)
      await this.vault.endRefused(this.source.owner, version.token).catch(throwCredentialError);
    throw new NeedsAuthError('revoked');
  }

  async requireScopes(challenge: string, version: SentToken | undefined): Promise<void> {
    const { error, scopes = [] } = await readChallenge(challenge).catch((): BearerChallenge => ({}));
    const sent = version ?? this.first;
    if (error !== 'insufficient_scope' || sent === undefined) return;
    const { owner } = this.source;
    const outcome =
      scopes.length === 0
        ? 'refused'
        : await this.vault.requireScopes(owner, sent.token, scopes).catch(throwCredentialError);
    if (outcome === 'sign_in') throw new NeedsAuthError('insufficient_scope');
    throw new CredentialError(
      outcome === 'replaced'
        ? 'refused a token that is replaced now, so try again'
        : 'refuses this request, although you have allowed everything that it can ask for',
    );
  }

  private async fetchToken(refused?: string): Promise<string> {
    const token = await this.vault.getAccessToken({ ...this.source, refused }).catch(throwCredentialError);
    if (token !== this.last?.token) this.last = { token };
    this.first ??= this.last;
    return token;
  }
}

function throwCredentialError(cause: unknown): never {
  if (cause instanceof CredentialError) throw cause;
  throw new CredentialError(`cannot be called, because ${describeFailure(cause)}`, { cause });
}

/** Describes a failure in the gateway's own words; texts of the server are for the log. */
function describeFailure(error: unknown): string {
  if (error instanceof ProviderUnavailableError) return 'its authorization server does not answer at the moment';
  if (error instanceof UnusableTokenError) return 'its authorization server issued a token that cannot be sent';
  if (isUnavailable(error)) return 'your sign-in cannot be read at the moment';
  return 'the gateway cannot get a token from its authorization server';
}
