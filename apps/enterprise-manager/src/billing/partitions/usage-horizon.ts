import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { keptFromIn, oldestTaken } from './kept-from.ts';

const KEPT_FROM = keptFromIn('usage_retention');

/** The oldest time of usage events that are accepted. */
@Injectable()
export class UsageHorizon {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Returns the time of the oldest event that is accepted: USAGE_RETENTION_DAYS ago, or the end of
   * the dropped months. Older events are refused, because the record of their first report may be
   * deleted, and a repetition would be charged twice.
   */
  async at(manager: EntityManager, now: Date): Promise<Date> {
    return oldestTaken(await KEPT_FROM.row(manager), this.settings.USAGE_RETENTION_DAYS, now);
  }
}
