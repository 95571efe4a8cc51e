import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { formatDate, getWindowAt } from '../budgets/period.ts';
import { readKeysetPage } from '@gatehouse/database/keyset';
import { AlertsRepository, type StoredAlert } from './alerts.repository.ts';
import { throwAlertNotFound } from './alerts.service.ts';
import {
  type BudgetAlertDelivery,
  type BudgetAlertDeliveryListQuery,
  type BudgetAlertDeliveryPage,
  type DeliveryPath,
  toBudgetAlertDelivery,
} from './deliveries.dto.ts';
import { DeliveriesRepository, type TestDelivery, type StoredDelivery } from './deliveries.repository.ts';

/** The limit of a sample, in USD. */
const SAMPLE_LIMIT = '100.000000000';

/**
 * Lists deliveries, resends them and creates tests. Each write is one transaction with its audit
 * event; `OutboxWorker` sends the deliveries.
 */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly alerts: AlertsRepository,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
  ) {}

  /** Returns a page of an alert's deliveries, newest first. @throws HttpError not_found */
  async list(
    caller: Caller,
    alertId: string,
    { state, ...query }: BudgetAlertDeliveryListQuery,
  ): Promise<BudgetAlertDeliveryPage> {
    if ((await this.alerts.find(alertId)) === undefined) throwAlertNotFound();
    const { rows, ...cursors } = await readKeysetPage<StoredDelivery>(
      this.cursors,
      {
        binding: { list: 'budget-alert-deliveries', filters: { alert_id: alertId, state }, caller },
        getSortKey: (row) => [row.sequence],
        read: (step) => this.deliveries.list(alertId, state, step),
      },
      query,
    );
    return { items: rows.map(toBudgetAlertDelivery), ...cursors };
  }

  /** Returns a delivery. @throws HttpError not_found */
  async get({ id, delivery_id }: DeliveryPath): Promise<BudgetAlertDelivery> {
    return toBudgetAlertDelivery((await this.deliveries.find(id, delivery_id)) ?? throwDeliveryNotFound());
  }

  /**
   * Makes a delivery due at once, in any state.
   * @throws HttpError not_found, conflict while the alert is disabled
   */
  resend(caller: Caller, { id, delivery_id }: DeliveryPath): Promise<BudgetAlertDelivery> {
    return this.runWithAlert(id, throwDeliveryNotFound, async (manager, alert) => {
      const found = (await this.deliveries.find(id, delivery_id, manager)) ?? throwDeliveryNotFound();
      if (!alert.enabled && found.kind === 'crossing')
        throw new HttpError('conflict', 'the alert is disabled; enable it, and its pending deliveries are sent');
      const row = await this.deliveries.requeue(manager, id, delivery_id, this.clock.now().toISOString());
      await this.recordAudit(manager, caller, 'Resend budget alert delivery', id, `deliveries/${delivery_id}`);
      return toBudgetAlertDelivery(row ?? throwDeliveryNotFound());
    });
  }

  /** Creates a test, also for a disabled alert. @throws HttpError not_found */
  test(caller: Caller, id: string): Promise<BudgetAlertDelivery> {
    return this.runWithAlert(id, throwAlertNotFound, async (manager, alert) => {
      const row = await this.deliveries.insertTest(manager, this.createSample(alert));
      await this.recordAudit(manager, caller, 'Test budget alert', id, `deliveries/${row.id}`);
      return toBudgetAlertDelivery(row);
    });
  }

  /**
   * Creates a crossing of the alert's first threshold at a limit of 100 USD. Its subject is that of
   * the alert, or `sample`.
   */
  private createSample({ id, scope, subject_id, periods, thresholds: [threshold = 100] }: StoredAlert): TestDelivery {
    const now = this.clock.now();
    const period = periods?.[0] ?? 'month';
    return {
      id: randomUUID(),
      alert_id: id,
      scope: scope ?? 'user',
      subject_id: subject_id ?? 'sample',
      period,
      period_start: formatDate(getWindowAt(period, now).start),
      threshold_percent: threshold,
      limit_usd: SAMPLE_LIMIT,
      used_usd: `${threshold}.000000000`,
      reserved_usd: '0.000000000',
      created_at: now.toISOString(),
    };
  }

  /** Runs a write in a transaction that locks the alert. */
  private runWithAlert<T>(
    id: string,
    missing: () => never,
    work: (manager: EntityManager, alert: StoredAlert) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.dataSource, async (manager) =>
      work(manager, (await this.alerts.findForUpdate(manager, id)) ?? missing()),
    );
  }

  private recordAudit(
    manager: EntityManager,
    caller: Caller,
    operation: string,
    id: string,
    field: string,
  ): Promise<void> {
    const change = { operation, object_kind: 'budget_alert', object_id: id, changed_fields: [field] };
    return this.audit.record(manager, caller, change);
  }
}

function throwDeliveryNotFound(): never {
  throw new HttpError('not_found', 'there is no such delivery of this budget alert');
}
