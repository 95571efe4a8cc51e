import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { requireMatch } from '@gatehouse/service-kit/etag';
import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '@gatehouse/audit/audit.service';
import { lockBudgetsExclusive } from '../budgets/budgets-lock.ts';
import { SubjectResolver, UNKNOWN_SUBJECT } from '../budgets/subject-resolver.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { listByCreation } from '../../database/creation-order.ts';
import { listChangedFields, MAX_ALERTS, toAlertState } from './alert-rules.ts';
import { AlertSecrets, ROTATION_GRACE_MS } from './alert-secrets.ts';
import { checkTarget } from './alert-target.ts';
import {
  type BudgetAlert,
  type BudgetAlertListQuery,
  type BudgetAlertPage,
  type BudgetAlertWithSecret,
  type BudgetAlertWrite,
  toBudgetAlert,
} from './alerts.dto.ts';
import { AlertsRepository, type AlertState, type StoredAlert } from './alerts.repository.ts';
import { BudgetScanner } from './budget-scanner.ts';

/** Retries of a transaction after a serialization failure or a deadlock. */
const MAX_RETRIES = 5;

/** A DTO of an alert with its ETag. */
export interface AlertWithETag<T> {
  alert: T;
  etag: string;
}

/**
 * Reads and writes budget alerts. Each write is one transaction with its audit event. It takes the
 * exclusive lock of budgets: the scan that it requests finds earlier settlements, and later
 * settlements see the new state (docs/decisions/0072-deliver-each-threshold-once.md).
 */
@Injectable()
export class AlertsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly secrets: AlertSecrets,
    private readonly scanner: BudgetScanner,
    private readonly subjects: SubjectResolver,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns a page of alerts in the order of their creation. */
  async list(caller: Caller, query: BudgetAlertListQuery): Promise<BudgetAlertPage> {
    return listByCreation<StoredAlert, BudgetAlert>(
      this.cursors,
      {
        binding: { list: 'budget-alerts', filters: {}, caller },
        read: (step) => this.alerts.list(step),
        toItem: (row) => toBudgetAlert(row, this.clock.now()),
      },
      query,
    );
  }

  /** Returns an alert. @throws HttpError not_found */
  async get(id: string): Promise<AlertWithETag<BudgetAlert>> {
    return this.addETag((await this.alerts.find(id)) ?? throwAlertNotFound());
  }

  /**
   * Creates an alert.
   * @throws HttpError invalid, unprocessable for a target that is not allowed and for an unknown
   * group, conflict at MAX_ALERTS, unavailable without a key-encryption key
   */
  async create(caller: Caller, write: BudgetAlertWrite): Promise<AlertWithETag<BudgetAlertWithSecret>> {
    const state = this.normalizeSubject(toAlertState(write));
    this.secrets.requireAvailable();
    await this.requireNoDirectoryId(state);
    await this.checkTarget(state);
    return this.runExclusive(async (manager) => {
      if ((await this.alerts.count(manager)) >= MAX_ALERTS)
        throw new HttpError('conflict', `there are already ${MAX_ALERTS} alerts, which is the limit; delete one first`);
      await this.requireGroup(manager, state);
      const now = this.clock.now().toISOString();
      const row = { id: uuidv7(), version: 1, created_at: now, updated_at: now, previous_valid_until: null, ...state };
      await this.alerts.insert(manager, row);
      const secret = await this.secrets.create(manager, row.id);
      if (row.enabled) await this.scanner.requestScan(manager);
      await this.recordAudit(manager, caller, 'Create budget alert', row.id, Object.keys(write));
      return this.addSecret(row, secret);
    });
  }

  /**
   * Replaces the state of an alert. Pending deliveries use the new state.
   * @throws HttpError as `create`, not_found, precondition_failed
   */
  async update(
    caller: Caller,
    id: string,
    write: BudgetAlertWrite,
    ifMatch: string | undefined,
  ): Promise<AlertWithETag<BudgetAlert>> {
    const state = this.normalizeSubject(toAlertState(write));
    const current = (await this.alerts.find(id)) ?? throwAlertNotFound();
    if (hasOtherSubject(state, current)) await this.requireNoDirectoryId(state);
    requireMatch(ifMatch, toETag(current), 'optional');
    await this.checkTarget(state);
    return this.change(id, ifMatch, async (manager, stored) => {
      if (hasOtherSubject(state, stored)) await this.requireGroup(manager, state);
      const row = { ...stored, ...state, version: stored.version + 1, updated_at: this.clock.now().toISOString() };
      await this.alerts.update(manager, row);
      if (row.enabled) await this.scanner.requestScan(manager);
      await this.recordAudit(manager, caller, 'Replace budget alert', id, listChangedFields(stored, state));
      return this.addETag(row);
    });
  }

  /**
   * Gives an alert a new secret; the previous one stays valid for 24 hours.
   * @throws HttpError not_found, precondition_failed, unavailable without a key-encryption key
   */
  rotateSecret(caller: Caller, id: string, ifMatch: string | undefined): Promise<AlertWithETag<BudgetAlertWithSecret>> {
    return this.change(id, ifMatch, async (manager, stored) => {
      const now = this.clock.now();
      const secret = await this.secrets.rotate(manager, id, now);
      const previous_valid_until = new Date(now.getTime() + ROTATION_GRACE_MS).toISOString();
      const row = { ...stored, version: stored.version + 1, updated_at: now.toISOString(), previous_valid_until };
      await this.alerts.update(manager, row);
      await this.recordAudit(manager, caller, 'Rotate secret of budget alert', id, ['secret']);
      return this.addSecret(row, secret);
    });
  }

  /**
   * Deletes an alert with all its deliveries.
   * @throws HttpError not_found, precondition_failed
   */
  delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    return this.change(id, ifMatch, async (manager) => {
      await this.alerts.delete(manager, id);
      await this.recordAudit(manager, caller, 'Delete budget alert', id, []);
    });
  }

  private checkTarget(state: AlertState): Promise<void> {
    return checkTarget(state, this.settings.ALLOW_LOOPBACK_UPSTREAMS);
  }

  /** Normalizes the subject of a user as budgets do. @throws HttpError invalid */
  private normalizeSubject(state: AlertState): AlertState {
    if (state.scope !== 'user' || state.subject_id === null) return state;
    const subject_id = this.subjects.normalize(state.subject_id);
    if (subject_id === undefined) throw fieldError('invalid', 'subject_id', UNKNOWN_SUBJECT);
    return { ...state, subject_id };
  }

  /** @throws HttpError invalid for the directory id of a user, which no budget contains */
  private async requireNoDirectoryId({ scope, subject_id }: AlertState): Promise<void> {
    if (scope !== 'user' || subject_id === null) return;
    const messages = await this.subjects.findDirectoryIds(this.dataSource.manager, [subject_id]);
    const message = messages.get(subject_id);
    if (message !== undefined) throw fieldError('invalid', 'subject_id', message);
  }

  private async requireGroup(manager: EntityManager, { scope, subject_id }: AlertState): Promise<void> {
    if (scope !== 'group' || subject_id === null || (await this.alerts.hasGroup(manager, subject_id))) return;
    throw fieldError('unprocessable', 'subject_id', 'there is no group with this id');
  }

  private runExclusive<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const runLocked = async (manager: EntityManager) => {
      await lockBudgetsExclusive(manager);
      return work(manager);
    };
    return inTransaction(this.dataSource, runLocked, { retries: MAX_RETRIES });
  }

  private change<T>(
    id: string,
    ifMatch: string | undefined,
    work: (manager: EntityManager, stored: StoredAlert) => Promise<T>,
  ): Promise<T> {
    return this.runExclusive(async (manager) => {
      const stored = (await this.alerts.findForUpdate(manager, id)) ?? throwAlertNotFound();
      requireMatch(ifMatch, toETag(stored), 'optional');
      return work(manager, stored);
    });
  }

  private addETag(row: StoredAlert): AlertWithETag<BudgetAlert> {
    return { alert: toBudgetAlert(row, this.clock.now()), etag: toETag(row) };
  }

  private addSecret(row: StoredAlert, secret: string): AlertWithETag<BudgetAlertWithSecret> {
    return { alert: { ...toBudgetAlert(row, this.clock.now()), secret }, etag: toETag(row) };
  }

  private recordAudit(
    manager: EntityManager,
    caller: Caller,
    operation: string,
    id: string,
    changed: readonly string[],
  ): Promise<void> {
    const change = { operation, object_kind: 'budget_alert', object_id: id, changed_fields: changed };
    return this.audit.record(manager, caller, change);
  }
}

/** Only a new subject is checked, so that an alert of a deleted group can be changed. */
const hasOtherSubject = (state: AlertState, before: AlertState): boolean =>
  state.scope !== before.scope || state.subject_id !== before.subject_id;

const toETag = ({ id, version }: StoredAlert): string => `"${id}.${version}"`;

/** @throws HttpError not_found */
export function throwAlertNotFound(): never {
  throw new HttpError('not_found', 'there is no such budget alert');
}
