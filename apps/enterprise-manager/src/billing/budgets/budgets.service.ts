import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { requireMatch } from '@gatehouse/service-kit/etag';
import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { lockGroups } from '../../people/groups/lock-groups.ts';
import { type Budget, toETag } from './budget.ts';
import {
  type BudgetViolation,
  findContradictions,
  findUnknownGroups,
  findUnknownSubjects,
  throwIfViolated,
} from './budget-violations.ts';
import { lockBudgetsExclusive } from './budgets-lock.ts';
import {
  type BudgetCollection,
  type GroupBudgetWrite,
  type UserBudgetWrite,
  toBudget,
  toBudgetSpec,
} from './budgets.dto.ts';
import { BudgetsRepository } from './budgets.repository.ts';
import type { BudgetScope } from './cell.ts';
import { SubjectResolver, UNKNOWN_SUBJECT } from './subject-resolver.ts';

/** Retries of a transaction after a serialization failure or a deadlock. */
const MAX_RETRIES = 5;
/** Maximum number of names in one audit event; a larger change has several events. */
const MAX_NAMES_PER_EVENT = 1_000;

/** All budgets with their ETag. */
export interface TaggedBudgets {
  collection: BudgetCollection;
  etag: string;
}

/**
 * Reads and writes budgets of users and groups. Usage is not changed. Each write is one transaction
 * with its audit events.
 */
@Injectable()
export class BudgetsService {
  constructor(
    private readonly budgets: BudgetsRepository,
    private readonly subjects: SubjectResolver,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  /** Lists all budgets, from one snapshot of the database. */
  async list(): Promise<TaggedBudgets> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        const budgets = await this.budgets.list(manager);
        return { collection: { budgets: budgets.map(toBudgetSpec) }, etag: await this.getETag(manager) };
      },
      { isolation: 'REPEATABLE READ' },
    );
  }

  /**
   * Replaces all budgets.
   * @returns the ETag of all budgets
   * @throws HttpError invalid for a repeated key and for directory ids of users,
   * precondition_failed, unprocessable for unknown groups
   */
  async replace(caller: Caller, collection: BudgetCollection, ifMatch: string | undefined): Promise<string> {
    const budgets = collection.budgets.map(toBudget).map((budget) => this.normalize(budget));
    throwIfViolated('invalid', [...findUnknownSubjects(budgets), ...findContradictions(budgets)]);
    return this.write(async (manager) => {
      throwIfViolated('invalid', await this.findDirectoryIds(manager, budgets));
      await this.requireMatch(manager, ifMatch);
      const groups = budgets.flatMap(({ scope, subject_id }) => (scope === 'group' ? [subject_id] : []));
      const existing = await lockGroups(manager, groups);
      throwIfViolated('unprocessable', findUnknownGroups(budgets, existing));
      await this.recordAudit(manager, caller, {
        operation: 'Set budgets',
        object_kind: 'budgets',
        object_id: 'budgets',
        changed: await this.budgets.replaceAll(manager, budgets),
      });
    });
  }

  /**
   * Sets the limit of a user for one period.
   * @returns the ETag of all budgets
   * @throws HttpError invalid for an issuer without a subject and for a directory id,
   * precondition_failed
   */
  async putUser(caller: Caller, id: string, write: UserBudgetWrite, ifMatch: string | undefined): Promise<string> {
    const budget = this.normalize(toBudget({ scope: 'user', subject_id: id, ...write }));
    if (budget.subject_id === '') throw fieldError('invalid', 'id', UNKNOWN_SUBJECT);
    return this.write(async (manager) => {
      const [violation] = await this.findDirectoryIds(manager, [budget]);
      if (violation !== undefined) throw fieldError('invalid', 'id', violation.message);
      await this.requireMatch(manager, ifMatch);
      await this.put(manager, caller, 'Put user budget', budget);
    });
  }

  /**
   * Sets the limit of a group for one period.
   * @returns the ETag of all budgets
   * @throws HttpError not_found for an unknown group, precondition_failed
   */
  putGroup(caller: Caller, id: string, write: GroupBudgetWrite, ifMatch: string | undefined): Promise<string> {
    return this.write(async (manager) => {
      const existing = await lockGroups(manager, [id]);
      if (!existing.has(id)) throw new HttpError('not_found', 'there is no such group');
      await this.requireMatch(manager, ifMatch);
      await this.put(manager, caller, 'Put group budget', toBudget({ scope: 'group', subject_id: id, ...write }));
    });
  }

  /**
   * Deletes all limits of a user or group.
   * @returns the ETag of all budgets
   * @throws HttpError not_found without a limit, precondition_failed
   */
  delete(caller: Caller, scope: BudgetScope, id: string, ifMatch: string | undefined): Promise<string> {
    const { subject_id } = this.normalize({ scope, subject_id: id, period: 'day', limit: 0n });
    return this.write(async (manager) => {
      const etag = await this.getETag(manager);
      const changed = await this.budgets.delete(manager, scope, subject_id);
      if (changed.length === 0) throw new HttpError('not_found', `the ${scope} has no budget`);
      requireMatch(ifMatch, etag, 'optional');
      await this.recordAudit(manager, caller, {
        operation: `Delete ${scope} budget`,
        object_kind: `${scope}_budget`,
        object_id: subject_id,
        changed,
      });
    });
  }

  private async put(manager: EntityManager, caller: Caller, operation: string, budget: Budget): Promise<void> {
    await this.recordAudit(manager, caller, {
      operation,
      object_kind: `${budget.scope}_budget`,
      object_id: budget.subject_id,
      changed: await this.budgets.put(manager, budget),
    });
  }

  /** Normalizes the subject of a user; the result is empty for an issuer without a subject. */
  private normalize(budget: Budget): Budget {
    if (budget.scope === 'group') return budget;
    return { ...budget, subject_id: this.subjects.normalize(budget.subject_id) ?? '' };
  }

  private async findDirectoryIds(manager: EntityManager, budgets: readonly Budget[]): Promise<BudgetViolation[]> {
    const users = budgets.filter(({ scope }) => scope === 'user').map(({ subject_id }) => subject_id);
    const messages = await this.subjects.findDirectoryIds(manager, users);
    return budgets.flatMap(({ scope, subject_id }, index) => {
      const message = scope === 'user' ? messages.get(subject_id) : undefined;
      return message === undefined ? [] : [{ index, field: 'subject_id' as const, message }];
    });
  }

  private async requireMatch(manager: EntityManager, ifMatch: string | undefined): Promise<void> {
    if (ifMatch !== undefined) requireMatch(ifMatch, await this.getETag(manager), 'optional');
  }

  private async getETag(manager: EntityManager): Promise<string> {
    return toETag(await this.budgets.getVersion(manager));
  }

  /** Runs a write in a transaction. @returns the ETag of all budgets after the change */
  private write(work: (manager: EntityManager) => Promise<void>): Promise<string> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        await lockBudgetsExclusive(manager);
        await work(manager);
        return this.getETag(manager);
      },
      { retries: MAX_RETRIES },
    );
  }

  private async recordAudit(
    manager: EntityManager,
    caller: Caller,
    { changed, ...event }: { operation: string; object_kind: string; object_id: string; changed: readonly string[] },
  ): Promise<void> {
    for (let from = 0; from < changed.length; from += MAX_NAMES_PER_EVENT)
      await this.audit.record(manager, caller, {
        ...event,
        changed_fields: changed.slice(from, from + MAX_NAMES_PER_EVENT),
      });
  }
}
