import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { keptFromIn, oldestTaken } from './kept-from.ts';

const KEPT_FROM = keptFromIn('usage_retention');

/** How far back usage goes. */
@Injectable()
export class UsageHorizon {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * The time of the oldest event that may be taken in: USAGE_RETENTION_DAYS ago, or where months
   * have been dropped already. Of an older one it is not known any more whether it was counted
   * before, so that it is refused.
   */
  async at(manager: EntityManager, now: Date): Promise<Date> {
    return oldestTaken(await KEPT_FROM.row(manager), this.settings.USAGE_RETENTION_DAYS, now);
  }
}
