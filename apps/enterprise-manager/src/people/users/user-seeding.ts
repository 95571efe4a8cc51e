import { inTransaction, isUniqueViolation } from '@gatehouse/database/transaction';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { UsersRepository } from './users.repository.ts';

/**
 * Puts the people of SEED_USERS into the directory before the service listens. Replicas may do it
 * at the same time; nobody is ever removed.
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

  /** @throws Error when a name of the configuration belongs to somebody else */
  async onApplicationBootstrap(): Promise<void> {
    const people = this.settings.SEED_USERS ?? [];
    if (people.length === 0) return;
    try {
      const changed = await inTransaction(
        this.dataSource,
        (manager) => this.users.upsertConfigured(manager, people, this.clock.now().toISOString()),
        { retries: 5 },
      );
      if (changed > 0)
        this.log.info({ changed, configured: people.length }, 'people of the configuration were added or renamed');
    } catch (error) {
      if (!isUniqueViolation(error, 'users_user_name_unique')) throw error;
      throw new Error(
        'SEED_USERS gives somebody a user_name that another person of the issuer already has; rename one of them.',
        { cause: error },
      );
    }
  }
}
