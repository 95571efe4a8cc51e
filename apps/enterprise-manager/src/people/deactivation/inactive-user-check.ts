import { getTokenBindingKey } from '@gatehouse/auth/binding-claim';
import { statement } from '@gatehouse/database/statement';
import type { Caller } from '@gatehouse/service-kit/access';
import type { IssuerSettings } from '@gatehouse/service-kit/config';
import { noActiveEntry } from '@gatehouse/service-kit/people-rule';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { LRUCache } from 'lru-cache';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { buildInactiveUserSql } from './inactive-user-sql.ts';

/**
 * The validity of a cached result, from the start of its query. A deactivation must take effect
 * within one second.
 */
const MAX_AGE_MS = 500;
const CAPACITY = 20_000;

const IS_INACTIVE = statement<{ inactive: boolean }>(
  `SELECT ${buildInactiveUserSql({ issuer: '$1', subject: '$2', binding_key: '$3' })} AS inactive`,
);

interface CachedResult {
  /** Start of the query, on the monotonic clock. */
  queriedAt: number;
  inactive: Promise<boolean>;
  /** The result of the query, when it has ended. */
  known?: boolean;
}

/** Whether the directory has deactivated or removed a caller. A result is at most 0.5 s old. */
@Injectable()
export class InactiveUserCheck {
  private readonly cache = new LRUCache<string, CachedResult>({ max: CAPACITY });
  private readonly issuers: ReadonlyMap<string, IssuerSettings>;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly dataSource: DataSource,
  ) {
    this.issuers = new Map(settings.ISSUERS.map((one) => [one.issuer, one]));
  }

  /** @returns a cached result without a promise; false for a user without an entry */
  isInactive(caller: Pick<Caller, 'issuer' | 'subject' | 'claims'>): boolean | Promise<boolean> {
    const binding = this.readBindingKey(caller);
    const key = JSON.stringify([caller.issuer, caller.subject, binding]);
    const now = performance.now();
    const cached = this.cache.get(key);
    if (cached !== undefined && now - cached.queriedAt < MAX_AGE_MS) return cached.known ?? cached.inactive;
    const result: CachedResult = { queriedAt: now, inactive: this.query(this.dataSource.manager, caller, binding) };
    result.inactive.then(
      (inactive) => {
        result.known = inactive;
      },
      // Other requests must not share a failed query.
      () => {
        result.queriedAt = -Infinity;
      },
    );
    this.cache.set(key, result);
    return result.inactive;
  }

  /**
   * Checks a caller in a transaction, without the cache. A change that could restore the access of
   * an inactive user needs it: the result that the guard used is up to 0.5 s old.
   * @throws HttpError forbidden
   */
  async requireActive(manager: EntityManager, caller: Pick<Caller, 'issuer' | 'subject' | 'claims'>): Promise<void> {
    if (await this.query(manager, caller, this.readBindingKey(caller))) throw noActiveEntry();
  }

  private async query(
    manager: EntityManager,
    { issuer, subject }: Pick<Caller, 'issuer' | 'subject'>,
    binding: string | null,
  ): Promise<boolean> {
    const row = await IS_INACTIVE.row(manager, [issuer, subject, binding]);
    return row?.inactive ?? true;
  }

  private readBindingKey({ issuer, claims }: Pick<Caller, 'issuer' | 'claims'>): string | null {
    const issuerSettings = this.issuers.get(issuer);
    return issuerSettings === undefined ? null : getTokenBindingKey(issuerSettings.binding, claims);
  }
}
