import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { selectRetentionStart, getOldestAcceptedTime } from './retention-start.ts';

const RETENTION_START = selectRetentionStart('usage_retention');

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
    return getOldestAcceptedTime(await RETENTION_START.row(manager), this.settings.USAGE_RETENTION_DAYS, now);
  }
}
