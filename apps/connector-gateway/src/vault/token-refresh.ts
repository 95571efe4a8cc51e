import { AdvisoryLocks, LockTimeoutError } from '@gatehouse/database/advisory-locks';
import { persist } from '@gatehouse/database/persist';
import { readScopes } from '@gatehouse/oauth-client/challenge';
import { ProviderRefusalError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { refreshTokens, type TokenSet } from '@gatehouse/oauth-client/tokens';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NeedsAuthError, type SignInReason } from '../mcp/ports/personal-credentials.ts';
import type { TokenClient } from './token-client.ts';
import { getOwnerKey, type TokenOwner } from './token-owner.ts';
import {
  addChallengedScopes,
  getStoredExpiry,
  isFresh,
  isSendable,
  requireStorableRefreshToken,
  requireUsableTokens,
} from './token-rules.ts';
import { type TokenGrant, type GrantContent, TokenStore } from './token-store.ts';

/** The longest wait for the refresh of another replica: longer than one request to a provider. */
const LOCK_WAIT_MS = 15_000;

/** Errors of RFC 6749, section 5.2, and of OpenID Connect that a new sign-in of the user ends. */
const NEEDS_AUTH_ERRORS: ReadonlySet<string> = new Set([
  'invalid_grant',
  'consent_required',
  'interaction_required',
  'login_required',
]);

/** The way on for a user whose scopes an upstream does not accept. */
export type ScopeOutcome = 'sign_in' | 'refused' | 'replaced';

/** A refresh of the tokens of one user for one connector. */
export interface RefreshRequest {
  readonly owner: TokenOwner;
  readonly client: TokenClient;
  /** The access token that the upstream refused, although it has not expired. */
  readonly refused: string | undefined;
}

/**
 * Refreshes tokens. Over all replicas, one refresh of a grant runs at a time, under an advisory
 * lock. A rotated refresh token is committed before the rest of the response is read, so a crash at
 * any later point leaves a valid token.
 */
@Injectable()
export class TokenRefresh implements OnApplicationShutdown {
  private readonly locks: AdvisoryLocks;

  constructor(
    private readonly store: TokenStore,
    dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.locks = new AdvisoryLocks(dataSource, 'connector-gateway-locks');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.locks.close();
  }

  /**
   * Runs work while no replica refreshes the tokens of an owner.
   * @throws ProviderUnavailableError after a long wait
   */
  async runExclusively<T>(owner: TokenOwner, work: () => Promise<T>): Promise<T> {
    try {
      return await this.locks.run(`upstream_token ${getOwnerKey(owner)}`, LOCK_WAIT_MS, work);
    } catch (cause) {
      if (!(cause instanceof LockTimeoutError)) throw cause;
      throw new ProviderUnavailableError('the refresh of another replica takes too long', { cause });
    }
  }

  /**
   * Returns refreshed tokens, or newer ones that another replica has stored.
   * @throws NeedsAuthError when only a new sign-in helps; ProviderUnavailableError,
   * ProviderRefusalError, InvalidProviderError, UnusableTokenError
   */
  refresh(request: RefreshRequest): Promise<TokenGrant> {
    return this.runExclusively(request.owner, async () => {
      const { owner, client, refused } = request;
      const grant = await this.store.find(owner);
      if (grant === undefined) throw new NeedsAuthError('never_connected');
      const isUsable = isFresh(grant.accessExpiresAt, this.getTime()) && grant.accessToken !== refused;
      if (isSendable(grant) && isUsable) return grant;
      if (!isSendable(grant) && grant.reason !== undefined && grant.reason !== 'client_rotated')
        throw new NeedsAuthError(grant.reason);
      if (!isIssuedTo(grant, client)) return this.endGrant(owner, grant, 'client_rotated');
      if (grant.refreshToken === undefined)
        return this.endGrant(owner, grant, refused === undefined ? 'refresh_failed' : 'revoked');
      return this.requestTokens(request, grant, grant.refreshToken);
    });
  }

  /** Marks a grant whose renewed access token the upstream refused as well. */
  async endRefused(owner: TokenOwner, refused: string): Promise<void> {
    const grant = await this.store.find(owner);
    if (grant?.accessToken === refused && isSendable(grant)) await this.store.markNeedsAuth(owner, grant, 'revoked');
  }

  /**
   * Stores the scopes that an upstream requires in addition, while no refresh runs.
   * @returns `sign_in` if a sign-in can give them; `refused` if the last one asked for them;
   * `replaced` if it came after the request
   */
  requireScopes(owner: TokenOwner, token: string, scopes: readonly string[]): Promise<ScopeOutcome> {
    return this.runExclusively(owner, async () => {
      const grant = await this.store.find(owner);
      if (grant === undefined || !isSendable(grant)) return 'sign_in';
      const granted = new Set(readScopes(grant.scope ?? ''));
      const challenged = addChallengedScopes(grant.challengedScope, scopes);
      if (grant.reason === undefined && (challenged === undefined || scopes.every((scope) => granted.has(scope))))
        return grant.accessToken === token ? 'refused' : 'replaced';
      if (challenged !== undefined) await this.store.markInsufficientScope(grant, challenged);
      return 'sign_in';
    });
  }

  private async requestTokens(
    { owner, client }: RefreshRequest,
    grant: TokenGrant,
    refreshToken: string,
  ): Promise<TokenGrant> {
    let latest: TokenGrant | undefined = grant;
    const now = this.getTime();
    const saveRotated = async (rotated: string) => {
      requireStorableRefreshToken(rotated);
      latest = await this.persist(owner, grant, { ...grant, refreshToken: rotated });
    };
    try {
      const { provider, resource } = client;
      const tokens = await refreshTokens(provider, refreshToken, { resource, now, saveRotated });
      requireUsableTokens(tokens);
      return await this.storeTokens(owner, latest, tokens, now);
    } catch (error) {
      if (!(error instanceof ProviderRefusalError) || !NEEDS_AUTH_ERRORS.has(error.error)) throw error;
      this.log.info({ err: error }, 'the authorization server ended a grant; the user must connect again');
      return this.endGrant(owner, grant, 'refresh_failed');
    }
  }

  /** @param latest the stored grant; undefined if a sign-in or a disconnection came first */
  private async storeTokens(
    owner: TokenOwner,
    latest: TokenGrant | undefined,
    tokens: TokenSet,
    now: number,
  ): Promise<TokenGrant> {
    const { accessToken, refreshToken, scope } = tokens;
    const stored =
      latest &&
      (await this.persist(owner, latest, {
        accessToken,
        refreshToken,
        scope: scope ?? latest.scope,
        accessExpiresAt: getStoredExpiry(tokens, now),
      }));
    return stored ?? this.requireNewer(owner);
  }

  /** Stores tokens that exist nowhere else, also after a short outage of the database. */
  private async persist(owner: TokenOwner, grant: TokenGrant, content: GrantContent): Promise<TokenGrant | undefined> {
    const { value: stored, isRepeated } = await persist(
      () => this.store.replace(owner, grant, content),
      (err) => this.log.error({ err }, 'refreshed tokens could not be stored; the gateway tries again'),
    );
    if (stored !== undefined || !isRepeated) return stored;
    // A failed attempt may have been committed.
    const present = await this.store.find(owner);
    return present?.version === grant.version + 1 && holdsSameTokens(present, content) ? present : undefined;
  }

  /** The grant of a sign-in that came first. @throws NeedsAuthError without one */
  private async requireNewer(owner: TokenOwner): Promise<TokenGrant> {
    const grant = await this.store.find(owner);
    if (grant === undefined) throw new NeedsAuthError('never_connected');
    if (!isSendable(grant) && grant.reason !== undefined) throw new NeedsAuthError(grant.reason);
    return grant;
  }

  /** @returns the grant of a sign-in that came first @throws NeedsAuthError */
  private async endGrant(owner: TokenOwner, grant: TokenGrant, reason: SignInReason): Promise<TokenGrant> {
    const isEnded = grant.reason === reason || (await this.store.markNeedsAuth(owner, grant, reason));
    if (!isEnded) return this.requireNewer(owner);
    throw new NeedsAuthError(reason);
  }

  private getTime(): number {
    return this.clock.now().getTime();
  }
}

const holdsSameTokens = (one: GrantContent, other: GrantContent): boolean =>
  one.accessToken === other.accessToken && one.refreshToken === other.refreshToken;

/** Whether a grant belongs to the client that would refresh it. */
const isIssuedTo = ({ providerIssuer, clientId }: TokenGrant, { provider }: TokenClient): boolean =>
  provider.metadata.issuer === providerIssuer && provider.client.clientId === clientId;
