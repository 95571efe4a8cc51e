import { inTransaction } from '@gatehouse/database/transaction';
import { readUsd, writeUsd } from '@gatehouse/money/usd';
import type { Caller } from '@gatehouse/service-kit/access';
import { requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.ts';
import { etagOfVersion } from './budget.ts';
import { lockBudgetsExclusive } from './budgets-lock.ts';
import type { DefaultUserBudget } from './budgets.dto.ts';
import { type DefaultBudget, BudgetsRepository } from './budgets.repository.ts';
import type { PeriodLimit } from './payer.ts';

/** What people without a budget of their own may spend. */
@Injectable()
export class DefaultBudgetService {
  constructor(
    private readonly budgets: BudgetsRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  /** @throws HttpError not_found when there is none */
  async get(): Promise<{ budget: DefaultUserBudget; etag: string }> {
    const held = await this.budgets.findDefault(this.dataSource.manager);
    if (held === undefined) throw new HttpError('not_found', 'there is no default user budget');
    return { budget: { limit_usd: writeUsd(held.limit), period: held.period }, etag: etagOfVersion(held.version) };
  }

  /** Sets it. @returns the new ETag. @throws HttpError precondition_failed */
  put(caller: Caller, { limit_usd, period }: DefaultUserBudget, ifMatch: string | undefined): Promise<string> {
    const wanted: PeriodLimit = { period, limit: readUsd(limit_usd) };
    return this.write(async (manager) => {
      const before = await this.matching(manager, ifMatch);
      await this.budgets.putDefault(manager, wanted);
      await this.record(manager, caller, 'Put default user budget', changedFields(before, wanted));
      const after = await this.budgets.findDefault(manager);
      if (after === undefined) throw new Error('the default user budget was not stored');
      return etagOfVersion(after.version);
    });
  }

  /**
   * Removes it; without If-Match, one that is not there counts as removed.
   * @throws HttpError precondition_failed
   */
  async remove(caller: Caller, ifMatch: string | undefined): Promise<void> {
    await this.write(async (manager) => {
      const before = await this.matching(manager, ifMatch);
      await this.budgets.removeDefault(manager);
      await this.record(manager, caller, 'Delete default user budget', changedFields(before, undefined));
    });
  }

  /** Where there is no default budget, no tag matches, and neither does `*` (RFC 9110 §13.1.1). */
  private async matching(manager: EntityManager, ifMatch: string | undefined): Promise<DefaultBudget | undefined> {
    const held = await this.budgets.findDefault(manager);
    if (held !== undefined) requireMatch(ifMatch, etagOfVersion(held.version), 'optional');
    else if (ifMatch !== undefined)
      throw new HttpError('precondition_failed', 'If-Match: there is no default user budget; send none to set one');
    return held;
  }

  private write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.dataSource, async (manager) => {
      await lockBudgetsExclusive(manager);
      return work(manager);
    });
  }

  private async record(manager: EntityManager, caller: Caller, operation: string, changed: string[]): Promise<void> {
    if (changed.length === 0) return;
    await this.audit.record(manager, caller, {
      operation,
      object_kind: 'default_user_budget',
      object_id: 'default',
      changed_fields: changed,
    });
  }
}

const changedFields = (before: PeriodLimit | undefined, after: PeriodLimit | undefined): string[] => [
  ...(before?.limit === after?.limit ? [] : ['limit_usd']),
  ...(before?.period === after?.period ? [] : ['period']),
];
