import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import { computeDigest } from '../storage/digest.ts';
import type { CorporateGrant } from './corporate-grants.repository.ts';
import { CorporateRevocation } from './corporate-revocation.ts';
import { GrantActivity } from './grant-activity.ts';
import { CorporateGrantEndedError, CorporateRefresh, type CorporateRefreshParts } from './corporate-refresh.ts';
import type { CorporatePerson } from './corporate-sign-in.ts';

/** Seconds after its sign-in at which every grant ends. */
export const GRANT_SECONDS = 90 * 24 * 3600;

/** Longest life of a grant without a corporate refresh token. */
const LONGEST_UNREFRESHED_MS = 12 * 3_600_000;

/** Assumed life of corporate tokens whose provider names none. */
const UNKNOWN_LIFE_MS = 3_600_000;

/** The corporate sign-ins behind the grants of the authorization server. */
export class CorporateGrants {
  private readonly refreshing: CorporateRefresh;
  private readonly revocation: CorporateRevocation;
  private readonly activity: GrantActivity;

  constructor(private readonly parts: CorporateRefreshParts) {
    this.refreshing = new CorporateRefresh(parts);
    this.revocation = new CorporateRevocation({ ...parts, refreshing: this.refreshing });
    this.activity = new GrantActivity(parts.repository);
  }

  /** Stops revocations, and releases the locks of this process. */
  async close(): Promise<void> {
    await this.revocation.stop();
    await this.refreshing.close();
  }

  /** Begins to revoke the tokens of ended grants, in the background. */
  revokeEnded(): void {
    this.revocation.start();
  }

  /** Whether a grant has not ended, as of the last second. @param id the digest of its id */
  isActive(id: string): boolean | Promise<boolean> {
    return this.activity.isActive(id);
  }

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
    if (known.tokens.refreshToken !== undefined) await this.refreshing.refresh(known, () => this.findById(id));
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

  /** The end of a sign-in that cannot be refreshed. */
  private getEnd({ refreshToken, expiresAt }: TokenSet): Date | undefined {
    if (refreshToken !== undefined) return undefined;
    const now = this.parts.now().getTime();
    return new Date(Math.min(expiresAt ?? now + UNKNOWN_LIFE_MS, now + LONGEST_UNREFRESHED_MS));
  }
}
