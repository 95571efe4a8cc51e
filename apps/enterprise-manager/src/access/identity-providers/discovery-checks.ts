import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { checkProvider } from './discovery-check.ts';
import type { DiscoveryOutcome } from './discovery.ts';
import { toIdentityProvider } from './identity-provider-answers.ts';
import { acceptedProvider } from './identity-provider-rules.ts';
import { BY_ITSELF, IdentityProvidersRepository, type StoredProvider } from './identity-providers.repository.ts';

/** How often this replica looks for failed checks, in milliseconds. */
const LOOK_EVERY_MS = 5_000;
/** How long after a failed check the next one comes, in milliseconds. */
const RETRY_AFTER_MS = 60_000;
/** Most providers that a replica checks at a time. */
const MOST = 4;

/**
 * Repeats the checks of identity providers that failed, until they succeed. One replica makes each
 * of them. A provider that was written meanwhile keeps the outcome of that write.
 */
@Injectable()
export class DiscoveryChecks implements OnApplicationBootstrap, OnModuleDestroy {
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
      this.pass ??= this.look().finally(() => (this.pass = undefined));
    }, LOOK_EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.pass;
  }

  private async look(): Promise<void> {
    try {
      const now = this.clock.now();
      const before = new Date(now.getTime() - RETRY_AFTER_MS);
      const failed = await this.providers.takeFailed(before.toISOString(), now.toISOString(), MOST);
      await Promise.all(failed.map((provider) => this.check(provider)));
    } catch (error) {
      this.log.warn({ err: error }, 'identity providers could not be checked again; the next look comes soon');
    }
  }

  private async check(provider: StoredProvider): Promise<void> {
    const { id, revision, discovery } = provider;
    const outcome = await this.outcomeOf(provider);
    const checked_at = this.clock.now().toISOString();
    await this.dataSource.transaction(async (manager) => {
      const held = await this.providers.hold(manager, id);
      if (held?.revision === revision)
        await this.providers.setDiscovery(manager, id, { ...outcome, checked_at }, BY_ITSELF);
    });
    if (outcome.status !== discovery.status)
      this.log.info({ provider_id: id, ...outcome }, 'the check of an identity provider has another outcome');
  }

  private async outcomeOf(provider: StoredProvider): Promise<DiscoveryOutcome> {
    try {
      return await checkProvider(
        acceptedProvider(toIdentityProvider(provider), this.settings.ALLOW_LOOPBACK_UPSTREAMS),
      );
    } catch (error) {
      if (error instanceof HttpError) return { status: 'contradicts', error: error.message };
      throw error;
    }
  }
}
