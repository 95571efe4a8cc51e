import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { requireMatch } from '@gatehouse/service-kit/etag';
import { fieldError, HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../audit/audit.service.ts';
import { lockBudgetsExclusive } from '../budgets/budgets-lock.ts';
import { SubjectResolver, UNKNOWN_SUBJECT } from '../budgets/subject-resolver.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { keysetPage } from '../../database/keyset.ts';
import { changedFields, MAX_ALERTS, stateOf } from './alert-rules.ts';
import { AlertSecrets, OVERLAP_MS } from './alert-secrets.ts';
import { checkTarget } from './alert-target.ts';
import {
  type BudgetAlert,
  type BudgetAlertListQuery,
  type BudgetAlertPage,
  type BudgetAlertWithSecret,
  type BudgetAlertWrite,
  toAlert,
} from './alerts.dto.ts';
import { AlertsRepository, type AlertState, type StoredAlert } from './alerts.repository.ts';
import { BudgetLooks } from './budget-looks.ts';

const RETRIES = 5;

/** An alert as it is answered, with its ETag. */
export interface Tagged<T> {
  alert: T;
  etag: string;
}

/**
 * Alerts: reads, and the life of an alert. Every write is one transaction with its audit event, and
 * stands still while anything is settled: what is settled before it is found by the look at all
 * budgets that it asks for, what is settled after it sees the alert itself.
 */
@Injectable()
export class AlertsService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly secrets: AlertSecrets,
    private readonly looks: BudgetLooks,
    private readonly subjects: SubjectResolver,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A page of alerts in the order in which they were made. */
  async list(caller: Caller, query: BudgetAlertListQuery): Promise<BudgetAlertPage> {
    const { rows, ...cursors } = await keysetPage<StoredAlert>(
      this.cursors,
      {
        binding: { list: 'budget-alerts', filters: {}, caller },
        keyOf: (row) => [row.created_at, row.id],
        read: (step) => this.alerts.list(step),
      },
      query,
    );
    return { items: rows.map((row) => toAlert(row, this.clock.now())), ...cursors };
  }

  /** @throws HttpError not_found */
  async get(id: string): Promise<Tagged<BudgetAlert>> {
    return this.tagged((await this.alerts.find(id)) ?? noSuchAlert());
  }

  /**
   * @throws HttpError invalid, unprocessable for a target that may not be called or a group that is
   * not there, conflict for one too many, unavailable without a key
   */
  async create(caller: Caller, write: BudgetAlertWrite): Promise<Tagged<BudgetAlertWithSecret>> {
    const state = this.known(stateOf(write));
    this.secrets.requireAvailable();
    await this.refuseMistaken(state);
    await this.checkTarget(state);
    return this.write(async (manager) => {
      if ((await this.alerts.count(manager)) >= MAX_ALERTS)
        throw new HttpError('conflict', `there are ${MAX_ALERTS} alerts already; delete one of them first`);
      await this.requireGroup(manager, state);
      const now = this.clock.now().toISOString();
      const row = { id: uuidv7(), version: 1, created_at: now, updated_at: now, previous_valid_until: null, ...state };
      await this.alerts.insert(manager, row);
      const secret = await this.secrets.make(manager, row.id);
      if (row.enabled) await this.looks.ask(manager);
      await this.record(manager, caller, 'Create budget alert', row.id, Object.keys(write));
      return this.withSecret(row, secret);
    });
  }

  /**
   * Replaces the state of an alert; what waits is sent by the new one.
   * @throws HttpError as `create`, not_found, precondition_failed
   */
  async update(
    caller: Caller,
    id: string,
    write: BudgetAlertWrite,
    ifMatch: string | undefined,
  ): Promise<Tagged<BudgetAlert>> {
    const state = this.known(stateOf(write));
    const known = (await this.alerts.find(id)) ?? noSuchAlert();
    if (watchesOther(state, known)) await this.refuseMistaken(state);
    requireMatch(ifMatch, etagOf(known), 'optional');
    await this.checkTarget(state);
    return this.change(id, ifMatch, async (manager, held) => {
      if (watchesOther(state, held)) await this.requireGroup(manager, state);
      const row = { ...held, ...state, version: held.version + 1, updated_at: this.clock.now().toISOString() };
      await this.alerts.update(manager, row);
      if (row.enabled) await this.looks.ask(manager);
      await this.record(manager, caller, 'Replace budget alert', id, changedFields(held, state));
      return this.tagged(row);
    });
  }

  /**
   * Gives an alert a new secret; the one before signs too for a day.
   * @throws HttpError not_found, precondition_failed, unavailable without a key
   */
  rotateSecret(caller: Caller, id: string, ifMatch: string | undefined): Promise<Tagged<BudgetAlertWithSecret>> {
    return this.change(id, ifMatch, async (manager, held) => {
      const now = this.clock.now();
      const secret = await this.secrets.rotate(manager, id, now);
      const previous_valid_until = new Date(now.getTime() + OVERLAP_MS).toISOString();
      const row = { ...held, version: held.version + 1, updated_at: now.toISOString(), previous_valid_until };
      await this.alerts.update(manager, row);
      await this.record(manager, caller, 'Rotate secret of budget alert', id, ['secret']);
      return this.withSecret(row, secret);
    });
  }

  /**
   * Removes an alert with everything that it sent or was going to.
   * @throws HttpError not_found, precondition_failed
   */
  delete(caller: Caller, id: string, ifMatch: string | undefined): Promise<void> {
    return this.change(id, ifMatch, async (manager) => {
      await this.alerts.remove(manager, id);
      await this.record(manager, caller, 'Delete budget alert', id, []);
    });
  }

  private checkTarget(state: AlertState): Promise<void> {
    return checkTarget(state, this.settings.ALLOW_LOOPBACK_UPSTREAMS);
  }

  /** As budgets name the subject. */
  private known(state: AlertState): AlertState {
    if (state.scope !== 'user' || state.subject_id === null) return state;
    const subject_id = this.subjects.normalize(state.subject_id);
    if (subject_id === undefined) throw fieldError('invalid', 'subject_id', UNKNOWN_SUBJECT);
    return { ...state, subject_id };
  }

  /**
   * @throws HttpError invalid for a person's id of the directory, by which no budget names anybody
   */
  private async refuseMistaken({ scope, subject_id }: AlertState): Promise<void> {
    if (scope !== 'user' || subject_id === null) return;
    const mistaken = (await this.subjects.findDirectoryIds(this.dataSource.manager, [subject_id])).get(subject_id);
    if (mistaken !== undefined) throw fieldError('invalid', 'subject_id', mistaken);
  }

  private async requireGroup(manager: EntityManager, { scope, subject_id }: AlertState): Promise<void> {
    if (scope !== 'group' || subject_id === null || (await this.alerts.groupExists(manager, subject_id))) return;
    throw fieldError('unprocessable', 'subject_id', 'there is no group with this id');
  }

  private write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const alone = async (manager: EntityManager) => {
      await lockBudgetsExclusive(manager);
      return work(manager);
    };
    return inTransaction(this.dataSource, alone, { retries: RETRIES });
  }

  private change<T>(
    id: string,
    ifMatch: string | undefined,
    work: (manager: EntityManager, held: StoredAlert) => Promise<T>,
  ): Promise<T> {
    return this.write(async (manager) => {
      const held = (await this.alerts.hold(manager, id)) ?? noSuchAlert();
      requireMatch(ifMatch, etagOf(held), 'optional');
      return work(manager, held);
    });
  }

  private tagged(row: StoredAlert): Tagged<BudgetAlert> {
    return { alert: toAlert(row, this.clock.now()), etag: etagOf(row) };
  }

  private withSecret(row: StoredAlert, secret: string): Tagged<BudgetAlertWithSecret> {
    return { alert: { ...toAlert(row, this.clock.now()), secret }, etag: etagOf(row) };
  }

  private record(
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

/**
 * Whether it is about somebody else than before: what a subject is called is asked of a new one
 * alone.
 */
const watchesOther = (state: AlertState, before: AlertState): boolean =>
  state.scope !== before.scope || state.subject_id !== before.subject_id;

const etagOf = ({ id, version }: StoredAlert): string => `"${id}.${version}"`;

/** @throws HttpError not_found */
export function noSuchAlert(): never {
  throw new HttpError('not_found', 'there is no such budget alert');
}
