import { ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import { revokeToken } from '@gatehouse/oauth-client/tokens';
import { isUnavailable } from '@gatehouse/database/unavailable';
import type { Log } from '@gatehouse/service-kit/log';
import type { CorporateProviders } from '../../browser/corporate-providers.ts';
import type { CorporateGrantsRepository } from './corporate-grants.repository.ts';
import type { CorporateRefresh } from './corporate-refresh.ts';

/** Grants that are revoked one after another before others are taken. */
const BATCH = 20;

/** The dependencies of CorporateRevocation. */
export interface CorporateRevocationParts {
  repository: CorporateGrantsRepository;
  refreshing: Pick<CorporateRefresh, 'runExclusively'>;
  providers: CorporateProviders;
  log: Log;
}

/**
 * Revokes the corporate tokens of ended grants at their provider (RFC 7009), where it has an
 * endpoint for it. While a provider does not answer, this is tried each minute for a day.
 */
export class CorporateRevocation {
  private running: Promise<void> | undefined;
  private isRequested = false;
  private isStopped = false;

  constructor(private readonly parts: CorporateRevocationParts) {}

  /** Begins to revoke what is due, in the background. */
  start(): void {
    this.isRequested = true;
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
  }

  /** Ends after the token that is being revoked. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      while (this.isRequested && !this.isStopped) {
        this.isRequested = false;
        const ids = await this.parts.repository.claimEnded(BATCH);
        for (const id of ids) await this.revoke(id);
        this.isRequested ||= ids.length === BATCH;
      }
    } catch (err) {
      this.parts.log.warn(
        { err },
        'corporate tokens of ended grants could not be read; the next attempt is in a minute',
      );
    }
  }

  private async revoke(id: string): Promise<void> {
    if (this.isStopped) return;
    const { refreshing, repository, log } = this.parts;
    try {
      // A refresh in progress would replace the token that is revoked here.
      await refreshing.runExclusively(id, () => this.revokeTokens(id));
    } catch (err) {
      log.warn({ err }, 'corporate tokens of an ended grant could not be revoked at their provider');
      if (err instanceof ProviderUnavailableError || isUnavailable(err)) return;
    }
    await repository.removeEnded(id);
  }

  private async revokeTokens(id: string): Promise<void> {
    const { repository, providers } = this.parts;
    const grant = await repository.find(id, true);
    const issuer = providers.issuers.find((entry) => entry.issuer === grant?.issuer);
    if (grant === undefined || issuer === undefined) return;
    const { refreshToken, accessToken } = grant.tokens;
    const provider = await providers.get(issuer);
    if (refreshToken === undefined) await revokeToken(provider, accessToken, 'access_token');
    else await revokeToken(provider, refreshToken, 'refresh_token');
  }
}
