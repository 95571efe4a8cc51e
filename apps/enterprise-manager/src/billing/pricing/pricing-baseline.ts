import { inTransaction } from '@gatehouse/database/transaction';
import type { BaselineCatalog } from '@gatehouse/money/baseline-catalog';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { changedFields } from './catalog.ts';
import { PricingRepository } from './pricing.repository.ts';

/** The catalog that comes with the release, and the day on which its prices were read. */
type Baseline = Pick<BaselineCatalog, 'read_on' | 'provider_aliases' | 'spec'>;

/** Where the release's catalog is injected. */
export const BASELINE = Symbol('pricing baseline');

/** Before any event that could be charged, so that no request is older than the first prices. */
const SINCE = '2000-01-01T00:00:00.000Z';

/**
 * Puts the release's catalog among the versions before the service listens, any number of replicas
 * at a time. It is in effect until an operator writes for the first time, and from then on no
 * release brings another one. A replica of an older release, which starts again while others are
 * newer already, brings nothing: its prices are of an earlier day.
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
    const added = await inTransaction(this.dataSource, (manager) => this.takeOver(manager), { retries: 5 });
    if (added) this.log.info({ read_on: this.baseline.read_on }, 'the prices of this release are in effect');
  }

  private async takeOver(manager: EntityManager): Promise<boolean> {
    await this.repository.lock(manager);
    if (await this.repository.hasOperatorVersion(manager)) return false;
    const { read_on, provider_aliases, spec } = this.baseline;
    const newest = await this.repository.newestBaseline(manager);
    const [known, same] = [newest?.baseline_date ?? '', newest && changedFields(newest, this.baseline).length === 0];
    if (same || known > read_on) return false;
    await this.repository.insert(manager, {
      id: uuidv7(),
      effective_from: SINCE,
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
