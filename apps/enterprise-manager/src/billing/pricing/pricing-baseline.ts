import { inTransaction } from '@gatehouse/database/transaction';
import type { BaselineCatalog } from '@gatehouse/money/baseline-catalog';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { listChangedFields } from './catalog.ts';
import { PricingRepository } from './pricing.repository.ts';

/** The catalog of the release, and the day on which its prices were read. */
type Baseline = Pick<BaselineCatalog, 'read_on' | 'provider_aliases' | 'spec'>;

/** Injection token of the release's catalog. */
export const BASELINE = Symbol('pricing baseline');

/** Earlier than every usage event, so that each event has a price list. */
const BASELINE_EFFECTIVE_FROM = '2000-01-01T00:00:00.000Z';

/**
 * Stores the release's catalog as a version before the service listens. Several replicas can do so
 * at the same time. It is in effect until the first write of an operator; after that, releases
 * store no catalog. A replica of an older release stores nothing, because its prices are of an
 * earlier day.
 */
@Injectable()
export class PricingBaseline implements OnApplicationBootstrap {
  constructor(
    private readonly repository: PricingRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
    @Inject(BASELINE) private readonly baseline: Baseline,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const added = await inTransaction(this.dataSource, (manager) => this.addBaseline(manager), { retries: 5 });
    if (added) this.log.info({ read_on: this.baseline.read_on }, 'the prices of this release are in effect');
  }

  private async addBaseline(manager: EntityManager): Promise<boolean> {
    await this.repository.lock(manager);
    if (await this.repository.hasOperatorVersion(manager)) return false;
    const { read_on, provider_aliases, spec } = this.baseline;
    const newest = await this.repository.findNewestBaseline(manager);
    const isSame = newest !== undefined && listChangedFields(newest, this.baseline).length === 0;
    if (isSame || (newest?.baseline_date ?? '') > read_on) return false;
    await this.repository.insert(manager, {
      id: uuidv7(),
      effective_from: BASELINE_EFFECTIVE_FROM,
      source: 'baseline',
      provider_aliases,
      spec,
      created_at: this.clock.now().toISOString(),
      created_by: null,
      baseline_date: read_on,
    });
    return true;
  }
}
