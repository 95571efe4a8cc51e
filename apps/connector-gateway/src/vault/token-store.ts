import { EnvelopeCipher } from '@gatehouse/envelope/cipher';
import { DecryptionError } from '@gatehouse/envelope/sealed-value';
import { SealedTables } from '@gatehouse/key-encryption/sealed-tables';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import type { SignInReason } from '../mcp/ports/personal-credentials.ts';
import { openTokens, sealTokens, type TokenPair, UPSTREAM_TOKENS_TABLE } from './token-seal.ts';
import type { TokenOrigin, TokenOwner } from './token-owner.ts';
import { type RecordSave, type StoredTokens, UpstreamTokensRepository } from './upstream-tokens.repository.ts';

/** The opened tokens of one user for one connector. */
export interface TokenGrant extends TokenOrigin, TokenPair {
  readonly id: string;
  /** Counts the changes of the row. */
  readonly version: number;
  readonly scope: string | undefined;
  /** The scopes that the upstream required in addition, separated by spaces. */
  readonly challengedScope: string | undefined;
  /** The expiry of the access token in milliseconds; undefined if unknown. */
  readonly accessExpiresAt: number | undefined;
  /** Why the user must connect again; undefined while the tokens can be used. */
  readonly reason: SignInReason | undefined;
}

/** The part of a grant that a sign-in or a refresh changes. */
export type GrantContent = Pick<TokenGrant, 'accessToken' | 'refreshToken' | 'scope' | 'accessExpiresAt'>;

/** Reads and writes grants. Tokens leave it only opened, and reach the database only sealed. */
@Injectable()
export class TokenStore {
  constructor(
    private readonly repository: UpstreamTokensRepository,
    private readonly cipher: EnvelopeCipher,
    tables: SealedTables,
    private readonly log: Log,
  ) {
    tables.register(UPSTREAM_TOKENS_TABLE);
  }

  /**
   * Opens the tokens of an owner. A damaged or copied row cannot be opened: it counts as absent
   * until the next sign-in replaces it.
   * @throws MissingKeyError
   */
  async find(owner: TokenOwner): Promise<TokenGrant | undefined> {
    const row = await this.repository.find(owner);
    if (row === undefined) return undefined;
    const origin = readOrigin(row);
    const tokens = this.open(row, owner, origin);
    if (tokens === undefined) return undefined;
    return {
      ...origin,
      ...tokens,
      id: row.id,
      version: row.version,
      scope: row.scope ?? undefined,
      challengedScope: row.challenged_scope ?? undefined,
      accessExpiresAt: row.access_expires_at === null ? undefined : Date.parse(row.access_expires_at),
      reason: (row.reason ?? undefined) as SignInReason | undefined,
    };
  }

  /** Stores a sign-in, in the place of an earlier one. @throws MissingKeyError without a key */
  async save(owner: TokenOwner, origin: TokenOrigin, content: GrantContent, record?: RecordSave): Promise<void> {
    await this.repository.save(owner, origin, this.seal(owner, origin, content), record);
  }

  /**
   * Stores refreshed tokens in the place of those of a grant.
   * @returns the new grant; undefined if another change came first
   */
  async replace(owner: TokenOwner, grant: TokenGrant, content: GrantContent): Promise<TokenGrant | undefined> {
    const version = await this.repository.replace(grant.id, grant.version, this.seal(owner, grant, content));
    if (version === undefined) return undefined;
    const reason = grant.reason === 'insufficient_scope' ? grant.reason : undefined;
    return { ...grant, ...content, version, reason };
  }

  /** Stores that the user must connect again, unless another change came first. */
  async markNeedsAuth(owner: TokenOwner, grant: TokenGrant, reason: SignInReason): Promise<boolean> {
    return this.repository.markNeedsAuth(owner, grant, reason);
  }

  /** Stores that the user must connect again with more scopes, unless another change came first. */
  markInsufficientScope(grant: TokenGrant, challengedScope: string): Promise<boolean> {
    return this.repository.markInsufficientScope(grant, challengedScope);
  }

  /** Deletes the tokens of an owner. @returns whether there were any */
  delete(owner: TokenOwner): Promise<boolean> {
    return this.repository.delete(owner);
  }

  private open(row: StoredTokens, owner: TokenOwner, origin: TokenOrigin): TokenPair | undefined {
    try {
      return openTokens(this.cipher, row, owner, origin);
    } catch (err) {
      if (!(err instanceof DecryptionError)) throw err;
      this.log.error({ err }, 'upstream tokens of a user cannot be opened; the user must connect again');
      return undefined;
    }
  }

  private seal(owner: TokenOwner, origin: TokenOrigin, content: GrantContent) {
    const { accessToken, refreshToken, scope, accessExpiresAt } = content;
    return { sealed: sealTokens(this.cipher, { accessToken, refreshToken }, owner, origin), scope, accessExpiresAt };
  }
}

const readOrigin = ({ provider_issuer, client_id, upstream_origin }: StoredTokens): TokenOrigin => ({
  providerIssuer: provider_issuer,
  clientId: client_id,
  upstreamOrigin: upstream_origin,
});
