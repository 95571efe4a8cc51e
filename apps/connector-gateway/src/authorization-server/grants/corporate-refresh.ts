import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { AdvisoryLocks, LockTimeoutError } from '@gatehouse/database/advisory-locks';
import { persist } from '@gatehouse/database/persist';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { ProviderRefusalError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import type { Provider } from '@gatehouse/oauth-client/provider';
import { refreshTokens } from '@gatehouse/oauth-client/tokens';
import type { Log } from '@gatehouse/service-kit/log';
import type { DataSource } from 'typeorm';
import type { CorporateProviders } from '../../browser/corporate-providers.ts';
import type { CorporateGrant, CorporateGrantsRepository } from './corporate-grants.repository.ts';
import { CorporateIdentityError, readCorporatePerson } from './corporate-sign-in.ts';

/** Longest wait for a refresh on another replica: longer than one request to a provider. */
const LOCK_WAIT_MS = 15_000;

/** The corporate sign-in behind a grant has ended: the user must sign in again. */
export class CorporateGrantEndedError extends GatehouseError {
  override readonly code = 'corporate_grant_ended';
}

/** The dependencies of CorporateRefresh. */
export interface CorporateRefreshParts {
  dataSource: DataSource;
  repository: CorporateGrantsRepository;
  providers: CorporateProviders;
  verifier: TokenVerifier;
  /** Address of the gateway, without a trailing slash. */
  publicUrl: () => string;
  now: () => Date;
  log: Log;
}

/** The part of a grant that a refresh changes. */
type Content = Pick<CorporateGrant, 'tokens' | 'claims'>;

/**
 * Refreshes the corporate tokens of grants, one grant at a time over all replicas. A refresh holds
 * no connection of the pool while the provider answers, and it commits a rotated refresh token
 * before it checks the rest of the response.
 */
export class CorporateRefresh {
  private readonly locks: AdvisoryLocks;

  constructor(private readonly parts: CorporateRefreshParts) {
    this.locks = new AdvisoryLocks(parts.dataSource, 'connector-gateway-grant-locks');
  }

  /** Releases the locks of this process. */
  close(): Promise<void> {
    return this.locks.close();
  }

  /**
   * Refreshes the tokens of a grant, unless another caller has changed them since they were read.
   * @param find reads the grant again
   * @throws CorporateGrantEndedError when the provider refuses, or returns another person;
   * ProviderUnavailableError, InvalidProviderError
   */
  async refresh(known: CorporateGrant, find: () => Promise<CorporateGrant | undefined>): Promise<void> {
    try {
      await this.refreshAlone(known, find).catch((error: unknown) => this.followNewest(known, error));
    } catch (error) {
      if (isEnd(error))
        throw new CorporateGrantEndedError('the corporate provider has ended the sign-in', { cause: error });
      throw error;
    }
  }

  /**
   * Runs work while no replica refreshes the tokens of a grant.
   * @param id the digest of the id of the grant
   * @throws ProviderUnavailableError after a long wait
   */
  async runExclusively<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.locks.run(`corporate_grant ${id}`, LOCK_WAIT_MS, work);
    } catch (cause) {
      if (!(cause instanceof LockTimeoutError)) throw cause;
      throw new ProviderUnavailableError('the refresh of another replica takes too long', { cause });
    }
  }

  private refreshAlone(known: CorporateGrant, find: () => Promise<CorporateGrant | undefined>): Promise<Content> {
    return this.runExclusively(known.id, async () => {
      const current = await find();
      if (current === undefined) throw new CorporateGrantEndedError('the grant has ended');
      return current.version === known.version ? this.refreshOwn(current) : current;
    });
  }

  /** Refreshes and stores the tokens of a grant. @throws the refusal of the provider */
  private async refreshOwn(grant: CorporateGrant): Promise<Content> {
    const { verifier, publicUrl, now } = this.parts;
    const { refreshToken = '' } = grant.tokens;
    let latest = grant as CorporateGrant | undefined;
    const fresh = await refreshTokens(await this.getProvider(grant.issuer), refreshToken, {
      now: now().getTime(),
      // The provider has ended the old token: the new one is stored before anything can fail.
      saveRotated: async (rotated) => {
        latest = await this.store({ ...grant, tokens: { ...grant.tokens, refreshToken: rotated } });
      },
    });
    // The lifetime of the old access token says nothing about the new one.
    const { expiresAt: _, ...kept } = grant.tokens;
    const tokens = { ...kept, ...fresh };
    const resource = `${publicUrl()}/mcp`;
    const person = await readCorporatePerson(tokens, { issuer: grant.issuer, verifier, resource });
    if (person.subject !== grant.subject)
      throw new CorporateGrantEndedError('the corporate provider returned the tokens of another person');
    const content = { tokens, claims: person.claims };
    // Without it the grant has ended, or another replica has stored newer tokens.
    if (latest !== undefined) await this.store({ ...latest, ...content, endsAt: undefined });
    return content;
  }

  /**
   * Takes the tokens of the person's newest sign-in for another grant. A provider may end the
   * refresh token of a grant when the person signs in for another one, as dex does.
   * @param error of the refresh of the grant's own token; thrown if it is no refusal of the person
   */
  private async followNewest(grant: CorporateGrant, error: unknown): Promise<void> {
    const isRefused = error instanceof ProviderRefusalError && isEnd(error);
    const newest = isRefused ? await this.parts.repository.findNewestOther(grant) : undefined;
    if (newest?.tokens.refreshToken === undefined) throw error;
    const { tokens, claims } = await this.refreshAlone(newest, () => this.parts.repository.find(newest.id));
    const { refreshToken = '' } = grant.tokens;
    await this.store({ ...grant, claims, tokens: { ...tokens, refreshToken } }, false);
  }

  /** @returns the grant as stored; undefined if another change came first */
  private async store(grant: CorporateGrant, isOwn = true): Promise<CorporateGrant | undefined> {
    const { repository, log } = this.parts;
    const { value: version, isRepeated } = await persist(
      () => repository.update(grant, isOwn),
      (err) => log.error({ err }, 'refreshed corporate tokens could not be stored; the gateway tries again'),
    );
    if (version !== undefined) return { ...grant, version };
    if (!isRepeated) return undefined;
    // A failed attempt may have been committed.
    const present = (await repository.find(grant.id)) ?? (await repository.find(grant.id, true));
    return present?.tokens.refreshToken === grant.tokens.refreshToken ? present : undefined;
  }

  /** @throws CorporateGrantEndedError for an issuer at which users cannot sign in any more */
  private getProvider(issuer: string): Promise<Provider> {
    const { providers } = this.parts;
    const found = providers.issuers.find((entry) => entry.issuer === issuer);
    if (found === undefined) throw new CorporateGrantEndedError('the issuer has no client any more');
    return providers.get(found);
  }
}

/** Refusals of this gateway as a client, which say nothing about the person. */
const CLIENT_REFUSALS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

/** Whether the corporate provider has ended the sign-in of the person. */
const isEnd = (error: unknown): boolean =>
  error instanceof CorporateIdentityError ||
  (error instanceof ProviderRefusalError && !CLIENT_REFUSALS.has(error.error));
