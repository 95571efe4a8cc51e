import { inTransaction } from '@gatehouse/database/transaction';
import { readUsd, writeUsd } from '@gatehouse/money/usd';
import type { Caller } from '@gatehouse/service-kit/access';
import { requireMatch } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { toETag } from './budget.ts';
import { lockBudgetsExclusive } from './budgets-lock.ts';
import type { DefaultUserBudget } from './budgets.dto.ts';
import { type DefaultBudget, BudgetsRepository } from './budgets.repository.ts';
import type { PeriodLimit } from './payer.ts';

/** Reads and writes the default user budget. Each write is one transaction with its audit event. */
@Injectable()
export class DefaultBudgetService {
  constructor(
    private readonly budgets: BudgetsRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  /** Returns the default user budget with its ETag. @throws HttpError not_found without one */
  async get(): Promise<{ budget: DefaultUserBudget; etag: string }> {
    const stored = await this.budgets.findDefault(this.dataSource.manager);
    if (stored === undefined) throw new HttpError('not_found', 'there is no default user budget');
    return { budget: { limit_usd: writeUsd(stored.limit), period: stored.period }, etag: toETag(stored.version) };
  }

  /** Sets the default user budget. @returns its ETag. @throws HttpError precondition_failed */
  put(caller: Caller, { limit_usd, period }: DefaultUserBudget, ifMatch: string | undefined): Promise<string> {
    const limit: PeriodLimit = { period, limit: readUsd(limit_usd) };
    return this.runExclusive(async (manager) => {
      const before = await this.requireMatch(manager, ifMatch);
      await this.budgets.putDefault(manager, limit);
      await this.recordAudit(manager, caller, 'Put default user budget', listChangedFields(before, limit));
      const after = await this.budgets.findDefault(manager);
      if (after === undefined) throw new Error('the default user budget was not stored');
      return toETag(after.version);
    });
  }

  /**
   * Deletes the default user budget. Without If-Match, the call also succeeds when there is none.
   * @throws HttpError precondition_failed
   */
  async remove(caller: Caller, ifMatch: string | undefined): Promise<void> {
    await this.runExclusive(async (manager) => {
      const before = await this.requireMatch(manager, ifMatch);
      await this.budgets.deleteDefault(manager);
      await this.recordAudit(manager, caller, 'Delete default user budget', listChangedFields(before, undefined));
    });
  }

  /** Without a default budget, no tag matches, and neither does `*` (RFC 9110 §13.1.1). */
  private async requireMatch(manager: EntityManager, ifMatch: string | undefined): Promise<DefaultBudget | undefined> {
    const stored = await this.budgets.findDefault(manager);
    if (stored !== undefined) requireMatch(ifMatch, toETag(stored.version), 'optional');
    else if (ifMatch !== undefined)
      throw new HttpError(
        'precondition_failed',
        'If-Match: there is no default user budget; repeat the request without If-Match to set one',
      );
    return stored;
  }

  private runExclusive<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.dataSource, async (manager) => {
      await lockBudgetsExclusive(manager);
      return work(manager);
    });
  }

  private async recordAudit(
    manager: EntityManager,
    caller: Caller,
    operation: string,
    changed: string[],
  ): Promise<void> {
    if (changed.length === 0) return;
    await this.audit.record(manager, caller, {
      operation,
      object_kind: 'default_user_budget',
      object_id: 'default',
      changed_fields: changed,
    });
  }
}

const listChangedFields = (before: PeriodLimit | undefined, after: PeriodLimit | undefined): string[] => [
  ...(before?.limit === after?.limit ? [] : ['limit_usd']),
  ...(before?.period === after?.period ? [] : ['period']),
];
