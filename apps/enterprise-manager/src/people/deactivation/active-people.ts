import { bindingKeyOfToken } from '@gatehouse/auth/binding-claim';
import { statement } from '@gatehouse/database/statement';
import type { Caller } from '@gatehouse/service-kit/access';
import type { IssuerSettings } from '@gatehouse/service-kit/config';
import { noActiveEntry } from '@gatehouse/service-kit/people-rule';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { LRUCache } from 'lru-cache';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { inactivePersonSql } from './inactive-person-sql.ts';

/**
 * How long an answer of the database counts after it was asked for: half of the second in which a
 * deactivation acts.
 */
const BELIEVED_MS = 500;
const CAPACITY = 20_000;

const IS_INACTIVE = statement<{ inactive: boolean }>(
  `SELECT ${inactivePersonSql({ issuer: '$1', subject: '$2', binding_key: '$3' })} AS inactive`,
);

interface Answer {
  /** When it was asked for, on the steady clock. */
  at: number;
  inactive: Promise<boolean>;
  /** The answer, once it is there. */
  known?: boolean;
}

/**
 * Whether the directory has deactivated or removed a caller. An answer is at most 0.5 s older than
 * the question.
 */
@Injectable()
export class ActivePeople {
  private readonly answers = new LRUCache<string, Answer>({ max: CAPACITY });
  private readonly issuers: ReadonlyMap<string, IssuerSettings>;

  constructor(
    @Inject(SETTINGS) settings: Settings,
    private readonly dataSource: DataSource,
  ) {
    this.issuers = new Map(settings.ISSUERS.map((one) => [one.issuer, one]));
  }

  /** @returns the answer at once where it is known; false for a person without an entry */
  isInactive(caller: Pick<Caller, 'issuer' | 'subject' | 'claims'>): boolean | Promise<boolean> {
    const binding = this.bindingOf(caller);
    const key = JSON.stringify([caller.issuer, caller.subject, binding]);
    const now = performance.now();
    const kept = this.answers.get(key);
    if (kept !== undefined && now - kept.at < BELIEVED_MS) return kept.known ?? kept.inactive;
    const answer: Answer = { at: now, inactive: this.ask(this.dataSource.manager, caller, binding) };
    answer.inactive.then(
      (inactive) => {
        answer.known = inactive;
      },
      // A failed question is no answer for others.
      () => {
        answer.at = -Infinity;
      },
    );
    this.answers.set(key, answer);
    return answer.inactive;
  }

  /**
   * Checks a caller in a transaction, without an earlier answer. A change that could give an
   * inactive person power again needs it: the answer of the guard is up to 0.5 s old.
   * @throws HttpError forbidden
   */
  async requireActive(manager: EntityManager, caller: Pick<Caller, 'issuer' | 'subject' | 'claims'>): Promise<void> {
    if (await this.ask(manager, caller, this.bindingOf(caller))) throw noActiveEntry();
  }

  private async ask(
    manager: EntityManager,
    { issuer, subject }: Pick<Caller, 'issuer' | 'subject'>,
    binding: string | null,
  ): Promise<boolean> {
    const row = await IS_INACTIVE.row(manager, [issuer, subject, binding]);
    return row?.inactive ?? true;
  }

  private bindingOf({ issuer, claims }: Pick<Caller, 'issuer' | 'claims'>): string | null {
    const issuerSettings = this.issuers.get(issuer);
    return issuerSettings === undefined ? null : bindingKeyOfToken(issuerSettings.binding, claims);
  }
}
