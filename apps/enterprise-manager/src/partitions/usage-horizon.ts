import { statement } from '@gatehouse/database/statement';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../config.ts';

const DAY_MS = 86_400_000;

/** In whole milliseconds, because nothing may be dropped yet: then it is minus infinity. */
const KEPT_FROM = statement<{ kept_from_ms: string | null }>(
  `SELECT CASE WHEN isfinite(kept_from) THEN floor(extract(epoch FROM kept_from) * 1000)::text END AS kept_from_ms FROM usage_retention`,
);

/** How far back usage goes. */
@Injectable()
export class UsageHorizon {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * The time of the oldest event that may be taken in: USAGE_RETENTION_DAYS ago, or where months have been dropped already. Of an older one it is not known
   * any more whether it was counted before, so that it is refused.
   */
  async at(manager: EntityManager, now: Date): Promise<Date> {
    const row = await KEPT_FROM.row(manager);
    const byDays = now.getTime() - this.settings.USAGE_RETENTION_DAYS * DAY_MS;
    return new Date(Math.max(byDays, Number(row?.kept_from_ms ?? byDays)));
  }
}
