import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { inTransaction } from '@gatehouse/database/transaction';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { ProviderRefusalError } from '@gatehouse/oauth-client/errors';
import type { Provider } from '@gatehouse/oauth-client/provider';
import { refreshTokens, type TokenSet } from '@gatehouse/oauth-client/tokens';
import type { DataSource } from 'typeorm';
import type { CorporateProviders } from '../../browser/corporate-providers.ts';
import { computeDigest } from '../storage/digest.ts';
import type { CorporateGrant, CorporateGrantsRepository } from './corporate-grants.repository.ts';
import { CorporateIdentityError, type CorporatePerson, readCorporatePerson } from './corporate-sign-in.ts';

/** Seconds after its sign-in at which every grant ends. */
export const GRANT_SECONDS = 90 * 24 * 3600;

/** Longest life of a grant without a corporate refresh token. */
const LONGEST_UNREFRESHED_MS = 12 * 3_600_000;

/** Assumed life of corporate tokens whose provider names none. */
const UNKNOWN_LIFE_MS = 3_600_000;

/** Longest wait for a refresh on another replica. */
const LOCK_WAIT_MS = 15_000;

/** The corporate sign-in behind a grant has ended: the user must sign in again. */
export class CorporateGrantEndedError extends GatehouseError {
  override readonly code = 'corporate_grant_ended';
}

/** The dependencies of CorporateGrants. */
export interface CorporateGrantsParts {
  dataSource: DataSource;
  repository: CorporateGrantsRepository;
  providers: CorporateProviders;
  verifier: TokenVerifier;
  now: () => Date;
}

/** The corporate sign-ins behind the grants of the authorization server. */
export class CorporateGrants {
  constructor(private readonly parts: CorporateGrantsParts) {}

  /** Stores the sign-in of a new grant. */
  async create(grantId: string, { issuer, subject, claims }: CorporatePerson, tokens: TokenSet): Promise<void> {
    const endsAt = this.getEnd(tokens);
    await this.parts.repository.create(
      { id: computeDigest(grantId), issuer, subject, claims, tokens, endsAt },
      GRANT_SECONDS,
    );
  }

  /** The sign-in of a grant that has not ended. */
  async find(grantId: string): Promise<CorporateGrant | undefined> {
    return this.findById(computeDigest(grantId));
  }

  /**
   * Refreshes the corporate tokens of a grant, once over all replicas: concurrent callers wait and
   * take the result. Without a corporate refresh token the tokens stay until they end.
   * @throws CorporateGrantEndedError when the provider refuses, or returns another person;
   * ProviderUnavailableError, InvalidProviderError
   */
  refresh(grantId: string): Promise<void> {
    return this.refreshById(computeDigest(grantId));
  }

  /**
   * The corporate tokens of a grant, refreshed if the access token has expired.
   * @param id the digest of the id of the grant
   * @returns undefined after the end of the grant
   * @throws ProviderUnavailableError, InvalidProviderError
   */
  async findTokens(id: string): Promise<TokenSet | undefined> {
    const { tokens } = (await this.findById(id)) ?? {};
    if (tokens?.expiresAt === undefined || tokens.expiresAt > this.parts.now().getTime()) return tokens;
    if (tokens.refreshToken === undefined) return undefined;
    try {
      await this.refreshById(id);
    } catch (error) {
      if (error instanceof CorporateGrantEndedError) return undefined;
      throw error;
    }
    return (await this.findById(id))?.tokens;
  }

  private async refreshById(id: string): Promise<void> {
    const known = await this.require(id);
    if (known.tokens.refreshToken === undefined) return;
    await inTransaction(this.parts.dataSource, async (manager) => {
      await manager.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`corporate_grant ${known.id}`]);
      const current = await this.require(id);
      if (current.refreshedAt === known.refreshedAt) await this.refreshOnce(current);
    });
  }

  private async require(id: string): Promise<CorporateGrant> {
    const found = await this.findById(id);
    if (found === undefined) throw new CorporateGrantEndedError('the grant has ended');
    return found;
  }

  private async findById(id: string): Promise<CorporateGrant | undefined> {
    const grant = await this.parts.repository.find(id);
    const hasEnded = grant?.endsAt !== undefined && grant.endsAt <= this.parts.now();
    return hasEnded ? undefined : grant;
  }

  private async refreshOnce(grant: CorporateGrant): Promise<void> {
    const { repository, verifier, now } = this.parts;
    const { refreshToken = '' } = grant.tokens;
    try {
      const fresh = await refreshTokens(await this.getProvider(grant.issuer), refreshToken, {
        now: now().getTime(),
        // The provider has ended the old token: the new one is stored before anything can fail.
        saveRotated: (rotated) => repository.update({ ...grant, tokens: { ...grant.tokens, refreshToken: rotated } }),
      });
      const tokens = { ...grant.tokens, ...fresh };
      const person = await readCorporatePerson(tokens, grant.issuer, verifier);
      if (person.subject !== grant.subject)
        throw new CorporateGrantEndedError('the corporate provider returned the tokens of another person');
      await repository.update({ ...grant, tokens, claims: person.claims, endsAt: undefined });
    } catch (error) {
      if (isEnd(error))
        throw new CorporateGrantEndedError('the corporate provider has ended the sign-in', { cause: error });
      throw error;
    }
  }

  /** @throws CorporateGrantEndedError for an issuer at which users cannot sign in any more */
  private getProvider(issuer: string): Promise<Provider> {
    const { providers } = this.parts;
    const found = providers.issuers.find((entry) => entry.issuer === issuer);
    if (found === undefined) throw new CorporateGrantEndedError('the issuer has no client any more');
    return providers.get(found);
  }

  /** The end of a sign-in that cannot be refreshed. */
  private getEnd({ refreshToken, expiresAt }: TokenSet): Date | undefined {
    if (refreshToken !== undefined) return undefined;
    const now = this.parts.now().getTime();
    return new Date(Math.min(expiresAt ?? now + UNKNOWN_LIFE_MS, now + LONGEST_UNREFRESHED_MS));
  }
}

/** Refusals of this gateway as a client, which say nothing about the person. */
const CLIENT_REFUSALS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

/** Whether the corporate provider has ended the sign-in of the person. */
const isEnd = (error: unknown): boolean =>
  error instanceof CorporateIdentityError ||
  (error instanceof ProviderRefusalError && !CLIENT_REFUSALS.has(error.error));
