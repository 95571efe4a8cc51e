import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { checkProvider } from './provider-check.ts';
import type { ProviderCheckOutcome } from './provider-check-outcome.ts';
import { toIdentityProvider } from './identity-provider-responses.ts';
import { validateProvider } from './identity-provider-rules.ts';
import { BACKGROUND_TASK, IdentityProvidersRepository, type StoredProvider } from './identity-providers.repository.ts';

/** Interval between two searches for failed checks. */
const SEARCH_INTERVAL_MS = 5_000;
/** Delay between a failed check and its repetition. */
const RETRY_AFTER_MS = 60_000;
/** Maximum number of providers that a replica checks at once. */
const MAX_CONCURRENT_CHECKS = 4;

/**
 * Repeats failed checks of identity providers until they succeed. Each check runs on one replica. A
 * provider that is changed during its check keeps the outcome of that change.
 */
@Injectable()
export class ProviderCheckRetries implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<void> | undefined;

  constructor(
    private readonly providers: IdentityProvidersRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.pass ??= this.retryFailed().finally(() => (this.pass = undefined));
    }, SEARCH_INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.pass;
  }

  private async retryFailed(): Promise<void> {
    try {
      const now = this.clock.now();
      const before = new Date(now.getTime() - RETRY_AFTER_MS);
      const failed = await this.providers.takeFailed(before.toISOString(), now.toISOString(), MAX_CONCURRENT_CHECKS);
      await Promise.all(failed.map((provider) => this.check(provider)));
    } catch (error) {
      this.log.warn(
        { err: error },
        'failed checks of identity providers could not be repeated; the next attempt follows in a few seconds',
      );
    }
  }

  private async check(provider: StoredProvider): Promise<void> {
    const { id, revision, discovery } = provider;
    const outcome = await this.checkStored(provider);
    const checked_at = this.clock.now().toISOString();
    await this.dataSource.transaction(async (manager) => {
      const held = await this.providers.hold(manager, id);
      if (held?.revision === revision)
        await this.providers.setCheck(manager, id, { ...outcome, checked_at }, BACKGROUND_TASK);
    });
    if (outcome.status !== discovery.status)
      this.log.info({ provider_id: id, ...outcome }, 'the outcome of the check of an identity provider has changed');
  }

  private async checkStored(provider: StoredProvider): Promise<ProviderCheckOutcome> {
    try {
      return await checkProvider(
        validateProvider(toIdentityProvider(provider), this.settings.ALLOW_LOOPBACK_UPSTREAMS),
      );
    } catch (error) {
      if (error instanceof HttpError) return { status: 'contradicts', error: error.message };
      throw error;
    }
  }
}
