import { inTransaction } from '@gatehouse/database/transaction';
import { readUsd, writeUsd } from '@gatehouse/money/usd';
import type { Caller } from '@gatehouse/service-kit/access';
import { Refusal } from '@gatehouse/service-kit/refusal';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.ts';
import { changeBudgets } from './budgets-lock.ts';
import type { DefaultUserBudget } from './budgets.dto.ts';
import { BudgetsRepository } from './budgets.repository.ts';
import type { PeriodLimit } from './payer.ts';

/** What people without a budget of their own may spend. */
@Injectable()
export class DefaultBudgetService {
  constructor(
    private readonly budgets: BudgetsRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  /** @throws Refusal not_found when there is none */
  async get(): Promise<DefaultUserBudget> {
    const held = await this.budgets.findDefault(this.dataSource.manager);
    if (held === undefined) throw new Refusal('not_found', 'there is no default user budget');
    return { limit_usd: writeUsd(held.limit), period: held.period };
  }

  async put(caller: Caller, { limit_usd, period }: DefaultUserBudget): Promise<void> {
    const wanted: PeriodLimit = { period, limit: readUsd(limit_usd) };
    await this.write(async (manager) => {
      const before = await this.budgets.findDefault(manager);
      await this.budgets.putDefault(manager, wanted);
      await this.record(manager, caller, 'Put default user budget', changedFields(before, wanted));
    });
  }

  /** Takes it away; where there is none, that is done already. */
  async remove(caller: Caller): Promise<void> {
    await this.write(async (manager) => {
      const before = await this.budgets.findDefault(manager);
      await this.budgets.removeDefault(manager);
      await this.record(manager, caller, 'Delete default user budget', changedFields(before, undefined));
    });
  }

  private write(work: (manager: EntityManager) => Promise<void>): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
      await changeBudgets(manager);
      await work(manager);
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
