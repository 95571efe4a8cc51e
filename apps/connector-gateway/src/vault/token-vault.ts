import { MissingKeyError } from '@gatehouse/envelope/cipher';
import { readScopes } from '@gatehouse/oauth-client/challenge';
import { ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { revokeToken, type TokenSet } from '@gatehouse/oauth-client/tokens';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { NeedsAuthError } from '../mcp/ports/personal-credentials.ts';
import type { TokenClient } from './token-client.ts';
import { getOwnerKey, type TokenOrigin, type TokenOwner } from './token-owner.ts';
import { type ScopeOutcome, TokenRefresh } from './token-refresh.ts';
import { getStoredExpiry, isFresh, isSendable, requireUsableTokens } from './token-rules.ts';
import { type TokenGrant, TokenStore } from './token-store.ts';
import { type RecordSave, UpstreamTokensRepository } from './upstream-tokens.repository.ts';

/** How long a replica uses a grant without reading it again: changes hold within this time. */
const MAX_AGE_MS = 1_000;
const MAX_GRANTS = 10_000;

/** The time after a failed refresh in which no other one is sent. */
const FAILURE_PAUSE_MS = 2_000;

/** Whether a user has usable tokens for a connector. */
export type TokenState = 'connected' | 'needs_auth';

/** A request for an access token. */
export interface AccessTokenRequest {
  readonly owner: TokenOwner;
  /** Origin of the endpoint that gets the token. Tokens of another origin are not returned. */
  readonly upstreamOrigin: string;
  /** Opens the client at the connector's authorization server; only a refresh needs it. */
  readonly openClient: () => Promise<TokenClient>;
  /** The token that the upstream refused, although it has not expired. */
  readonly refused?: string | undefined;
}

/**
 * The upstream tokens of users, sealed in the database. Tokens are keyed by user and connector, and
 * go only to the endpoint and the authorization server of their sign-in.
 */
@Injectable()
export class TokenVault {
  /** Recently read grants. A change on another replica holds after MAX_AGE_MS. */
  private readonly grants = new LRUCache<string, Promise<{ grant: TokenGrant | undefined }>>({
    max: MAX_GRANTS,
    ttl: MAX_AGE_MS,
  });
  private readonly refreshes = new Map<string, Promise<TokenGrant>>();
  private readonly failures = new LRUCache<string, Error>({ max: MAX_GRANTS, ttl: FAILURE_PAUSE_MS });

  constructor(
    private readonly store: TokenStore,
    private readonly repository: UpstreamTokensRepository,
    private readonly refreshing: TokenRefresh,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Stores the tokens of a sign-in, in the place of earlier ones.
   * @param record stores the audit event in the same transaction
   * @throws UnusableTokenError; MissingKeyError without a key-encryption key
   */
  async save(owner: TokenOwner, tokens: TokenSet, origin: TokenOrigin, record?: RecordSave): Promise<void> {
    requireUsableTokens(tokens);
    const { accessToken, refreshToken, scope } = tokens;
    const accessExpiresAt = getStoredExpiry(tokens, this.clock.now().getTime());
    await this.store.save(owner, origin, { accessToken, refreshToken, scope, accessExpiresAt }, record);
    this.forget(owner);
    this.failures.delete(getOwnerKey(owner));
  }

  /**
   * Returns a usable access token, after a refresh if needed. Concurrent requests share it.
   * @throws NeedsAuthError when the user must sign in; the errors of TokenRefresh
   */
  async getAccessToken(request: AccessTokenRequest): Promise<string> {
    const { owner, upstreamOrigin, refused } = request;
    const grant = await this.read(owner);
    if (grant === undefined || grant.upstreamOrigin !== upstreamOrigin) throw new NeedsAuthError('never_connected');
    const sendable = isSendable(grant);
    if (!sendable && grant.reason !== undefined && grant.reason !== 'client_rotated')
      throw new NeedsAuthError(grant.reason);
    const now = this.clock.now().getTime();
    const isUsable = sendable && grant.accessToken !== refused;
    if (isUsable && isFresh(grant.accessExpiresAt, now)) return grant.accessToken;
    try {
      const refreshed = await this.refresh(request);
      if (refreshed.upstreamOrigin !== upstreamOrigin) throw new NeedsAuthError('never_connected');
      return refreshed.accessToken;
    } catch (error) {
      const isAlive = isUsable && grant.accessExpiresAt !== undefined && grant.accessExpiresAt > now;
      if (error instanceof ProviderUnavailableError && isAlive) return grant.accessToken;
      throw error;
    }
  }

  /** Marks tokens whose renewal the upstream refused as well: only a new sign-in helps. */
  async endRefused(owner: TokenOwner, refused: string): Promise<void> {
    await this.refreshing.endRefused(owner, refused);
    this.forget(owner);
  }

  /**
   * Stores the scopes that an upstream requires beyond those of the tokens. The tokens stay usable
   * for other requests.
   * @param token the one that was sent
   */
  async requireScopes(owner: TokenOwner, token: string, scopes: readonly string[]): Promise<ScopeOutcome> {
    const outcome = await this.refreshing.requireScopes(owner, token, scopes);
    this.forget(owner);
    return outcome;
  }

  /**
   * The scopes of the last sign-in of a user at a provider, and those that the upstream required
   * after it.
   */
  async findScopes(
    owner: TokenOwner,
    { providerIssuer, upstreamOrigin }: Omit<TokenOrigin, 'clientId'>,
  ): Promise<{ granted: readonly string[]; challenged: readonly string[] }> {
    const grant = await this.store.find(owner);
    const isSame = grant?.providerIssuer === providerIssuer && grant.upstreamOrigin === upstreamOrigin;
    if (!isSame) return { granted: [], challenged: [] };
    return { granted: readScopes(grant.scope ?? ''), challenged: readScopes(grant.challengedScope ?? '') };
  }

  /**
   * The connectors for which a user has tokens, with their state.
   * @param origins the origin of each connector's endpoint, by its id
   */
  async listStates(
    user: Pick<TokenOwner, 'issuer' | 'subject'>,
    origins: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, TokenState>> {
    const rows = await this.repository.listStates(user);
    return new Map(
      rows.map(({ connector_id, upstream_origin, status }) => [
        connector_id,
        origins.get(connector_id) === upstream_origin ? status : 'needs_auth',
      ]),
    );
  }

  /**
   * Revokes the tokens of a user at their authorization server where it can be (RFC 7009), and
   * deletes them in any case, also those whose key-encryption key is gone.
   * @param openClient undefined if the client is unknown
   * @returns whether there were tokens
   */
  async disconnect(owner: TokenOwner, openClient: (() => Promise<TokenClient>) | undefined): Promise<boolean> {
    const client = await openClient?.().catch((error: unknown) => this.reportUnrevoked(error));
    try {
      // A refresh in progress would replace the token that is revoked here.
      return await this.refreshing.runExclusively(owner, async () => {
        const grant = await this.findRevocable(owner);
        if (grant !== undefined && client !== undefined) await this.revoke(grant, client);
        return this.store.delete(owner);
      });
    } finally {
      this.forget(owner);
    }
  }

  /** Forgets what this replica remembers of an owner. */
  forget(owner: TokenOwner): void {
    this.grants.delete(getOwnerKey(owner));
  }

  private async read(owner: TokenOwner): Promise<TokenGrant | undefined> {
    const key = getOwnerKey(owner);
    let read = this.grants.get(key);
    if (read === undefined) {
      const started = this.store.find(owner).then((grant) => ({ grant }));
      this.grants.set(key, started);
      started.catch(() => this.grants.peek(key) === started && this.grants.delete(key));
      read = started;
    }
    return (await read).grant;
  }

  /** A refresh that began with another token may return the refused one: a second replaces it. */
  private async refresh(request: AccessTokenRequest): Promise<TokenGrant> {
    const grant = await this.shareRefresh(request);
    return grant.accessToken === request.refused ? this.shareRefresh(request) : grant;
  }

  private shareRefresh(request: AccessTokenRequest): Promise<TokenGrant> {
    const key = getOwnerKey(request.owner);
    const running = this.refreshes.get(key);
    if (running !== undefined) return running;
    const failure = this.failures.get(key);
    if (failure !== undefined) return Promise.reject(failure);
    const refresh = this.startRefresh(request, key).finally(() => this.refreshes.delete(key));
    this.refreshes.set(key, refresh);
    return refresh;
  }

  private async startRefresh({ owner, openClient, refused }: AccessTokenRequest, key: string): Promise<TokenGrant> {
    try {
      const grant = await this.refreshing.refresh({ owner, client: await openClient(), refused });
      this.grants.set(key, Promise.resolve({ grant }));
      return grant;
    } catch (error) {
      this.forget(owner);
      if (error instanceof Error && !(error instanceof NeedsAuthError)) this.failures.set(key, error);
      throw error;
    }
  }

  /** @returns undefined also for tokens whose key-encryption key is gone */
  private async findRevocable(owner: TokenOwner): Promise<TokenGrant | undefined> {
    try {
      return await this.store.find(owner);
    } catch (error) {
      if (!(error instanceof MissingKeyError)) throw error;
      this.reportUnrevoked(error);
      return undefined;
    }
  }

  private async revoke(grant: TokenGrant, { provider }: TokenClient): Promise<void> {
    const { issuer } = provider.metadata;
    if (issuer !== grant.providerIssuer || provider.client.clientId !== grant.clientId) return;
    const { refreshToken, accessToken } = grant;
    const revoking =
      refreshToken === undefined
        ? revokeToken(provider, accessToken, 'access_token')
        : revokeToken(provider, refreshToken, 'refresh_token');
    await revoking.catch((error: unknown) => this.reportUnrevoked(error));
  }

  private reportUnrevoked(err: unknown): undefined {
    this.log.warn({ err }, 'upstream tokens could not be revoked at their authorization server; they are deleted here');
  }
}
