import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { requireMatch } from '@gatehouse/service-kit/etag';
import { fieldError, HttpError, type HttpErrorKind } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.ts';
import { type Budget, type BudgetFault, etagOfVersion, faultsOf } from './budget.ts';
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
import { NOBODY, Subjects } from './subjects.ts';

const RETRIES = 5;
/** Most names in one row of the audit trail; a change of more has several rows. */
const NAMES_IN_A_ROW = 1_000;

/** All budgets and the ETag of this state of them. */
export interface TaggedBudgets {
  collection: BudgetCollection;
  etag: string;
}

/**
 * What people and groups may spend. Nothing here touches what they have used. Every write is one
 * transaction with its audit events.
 */
@Injectable()
export class BudgetsService {
  constructor(
    private readonly budgets: BudgetsRepository,
    private readonly subjects: Subjects,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
  ) {}

  async list(): Promise<TaggedBudgets> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        const budgets = await this.budgets.all(manager);
        return { collection: { budgets: budgets.map(toBudgetSpec) }, etag: await this.etag(manager) };
      },
      { isolation: 'REPEATABLE READ' },
    );
  }

  /**
   * Makes these all budgets that there are.
   * @throws HttpError invalid for a repeated key and for people named by their directory ids,
   * precondition_failed, unprocessable for unknown groups
   */
  async replace(caller: Caller, collection: BudgetCollection, ifMatch: string | undefined): Promise<string> {
    const wanted = collection.budgets.map(toBudget).map((budget) => this.known(budget));
    refuse('invalid', [...nobodies(wanted), ...faultsOf(wanted)]);
    return this.write(async (manager) => {
      refuse('invalid', await this.misnamed(manager, wanted));
      await this.requireMatch(manager, ifMatch);
      const groups = wanted.flatMap(({ scope, subject_id }) => (scope === 'group' ? [subject_id] : []));
      const existing = await this.budgets.holdGroups(manager, groups);
      refuse('unprocessable', strangers(wanted, existing));
      await this.record(manager, caller, {
        operation: 'Set budgets',
        object_kind: 'budgets',
        object_id: 'budgets',
        changed: await this.budgets.replaceAll(manager, wanted),
      });
    });
  }

  /**
   * Sets a person's limit of one period.
   * @throws HttpError invalid for an id that names nobody, or is that of the directory,
   * precondition_failed
   */
  async putUser(caller: Caller, id: string, write: UserBudgetWrite, ifMatch: string | undefined): Promise<string> {
    const budget = this.known(toBudget({ scope: 'user', subject_id: id, ...write }));
    if (budget.subject_id === '') throw fieldError('invalid', 'id', NOBODY);
    return this.write(async (manager) => {
      const [fault] = await this.misnamed(manager, [budget]);
      if (fault !== undefined) throw fieldError('invalid', 'id', fault.message);
      await this.requireMatch(manager, ifMatch);
      await this.put(manager, caller, 'Put user budget', budget);
    });
  }

  /**
   * Sets a group's limit of one period.
   * @throws HttpError not_found for a group that the directory does not have, precondition_failed
   */
  putGroup(caller: Caller, id: string, write: GroupBudgetWrite, ifMatch: string | undefined): Promise<string> {
    return this.write(async (manager) => {
      const existing = await this.budgets.holdGroups(manager, [id]);
      if (!existing.has(id)) throw new HttpError('not_found', 'there is no such group');
      await this.requireMatch(manager, ifMatch);
      await this.put(manager, caller, 'Put group budget', toBudget({ scope: 'group', subject_id: id, ...write }));
    });
  }

  /**
   * Takes away all limits of a person or a group.
   * @throws HttpError not_found where there is none, precondition_failed
   */
  remove(caller: Caller, scope: BudgetScope, id: string, ifMatch: string | undefined): Promise<string> {
    const { subject_id } = this.known({ scope, subject_id: id, period: 'day', limit: 0n });
    return this.write(async (manager) => {
      const etag = await this.etag(manager);
      const changed = await this.budgets.remove(manager, scope, subject_id);
      if (changed.length === 0) throw new HttpError('not_found', `the ${scope} has no budget`);
      requireMatch(ifMatch, etag, 'optional');
      await this.record(manager, caller, {
        operation: `Delete ${scope} budget`,
        object_kind: `${scope}_budget`,
        object_id: subject_id,
        changed,
      });
    });
  }

  private async put(manager: EntityManager, caller: Caller, operation: string, budget: Budget): Promise<void> {
    await this.record(manager, caller, {
      operation,
      object_kind: `${budget.scope}_budget`,
      object_id: budget.subject_id,
      changed: await this.budgets.put(manager, budget),
    });
  }

  private known(budget: Budget): Budget {
    return budget.scope === 'group' ? budget : { ...budget, subject_id: this.subjects.known(budget.subject_id) ?? '' };
  }

  private async misnamed(manager: EntityManager, budgets: readonly Budget[]): Promise<BudgetFault[]> {
    const people = budgets.filter(({ scope }) => scope === 'user').map(({ subject_id }) => subject_id);
    const mistaken = await this.subjects.mistaken(manager, people);
    return budgets.flatMap(({ scope, subject_id }, at) => {
      const message = scope === 'user' ? mistaken.get(subject_id) : undefined;
      return message === undefined ? [] : [{ at, field: 'subject_id' as const, message }];
    });
  }

  private async requireMatch(manager: EntityManager, ifMatch: string | undefined): Promise<void> {
    if (ifMatch !== undefined) requireMatch(ifMatch, await this.etag(manager), 'optional');
  }

  private async etag(manager: EntityManager): Promise<string> {
    return etagOfVersion(await this.budgets.version(manager));
  }

  /** @returns the ETag of all budgets after the change */
  private write(work: (manager: EntityManager) => Promise<void>): Promise<string> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        await lockBudgetsExclusive(manager);
        await work(manager);
        return this.etag(manager);
      },
      { retries: RETRIES },
    );
  }

  private async record(
    manager: EntityManager,
    caller: Caller,
    { changed, ...what }: { operation: string; object_kind: string; object_id: string; changed: readonly string[] },
  ): Promise<void> {
    for (let from = 0; from < changed.length; from += NAMES_IN_A_ROW)
      await this.audit.record(manager, caller, { ...what, changed_fields: changed.slice(from, from + NAMES_IN_A_ROW) });
  }
}

const nobodies = (budgets: readonly Budget[]): BudgetFault[] =>
  budgets.flatMap(({ subject_id }, at) => (subject_id === '' ? [{ at, field: 'subject_id', message: NOBODY }] : []));

const strangers = (budgets: readonly Budget[], groups: ReadonlySet<string>): BudgetFault[] =>
  budgets.flatMap(({ scope, subject_id }, at) =>
    scope === 'user' || groups.has(subject_id)
      ? []
      : [{ at, field: 'subject_id', message: `there is no group ${subject_id}` }],
  );

/** More than this is noise; the caller mends these first. */
const MAX_NAMED = 5;
const MAX_VIOLATIONS = 50;

function refuse(kind: HttpErrorKind, faults: readonly BudgetFault[]): void {
  if (faults.length === 0) return;
  const sentences = faults
    .slice(0, MAX_NAMED)
    .map(({ at, field, message }) => `budgets[${at}]${field && '.'}${field}: ${message}`);
  const more = faults.length > MAX_NAMED ? `; and ${faults.length - MAX_NAMED} more` : '';
  throw new HttpError(kind, sentences.join('; ') + more, {
    violations: faults.slice(0, MAX_VIOLATIONS).map(({ at, field, message }) => ({
      field: `/budgets/${at}${field && '/'}${field}`,
      message,
    })),
  });
}
