import { inTransaction, isUniqueViolation } from '@gatehouse/database/transaction';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { UsersRepository } from './users.repository.ts';

const MAX_RETRIES = 5;

/**
 * Writes the users of SEED_USERS to the directory before the service listens. Several replicas may
 * do so at the same time. It never removes a user.
 */
@Injectable()
export class UserSeeding implements OnApplicationBootstrap {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly users: UsersRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** @throws Error when a configured user name belongs to another user */
  async onApplicationBootstrap(): Promise<void> {
    const configured = this.settings.SEED_USERS ?? [];
    if (configured.length === 0) return;
    try {
      const changed = await inTransaction(
        this.dataSource,
        (manager) => this.users.upsertConfigured(manager, configured, this.clock.now().toISOString()),
        { retries: MAX_RETRIES },
      );
      if (changed > 0)
        this.log.info({ changed, configured: configured.length }, 'users of SEED_USERS were added or renamed');
    } catch (error) {
      if (!isUniqueViolation(error, 'users_user_name_unique')) throw error;
      throw new Error(
        'SEED_USERS has a user_name that another user of the same issuer already has; rename one of the two users.',
        { cause: error },
      );
    }
  }
}
