import { inTransaction } from '@gatehouse/database/transaction';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.ts';
import { formatDate, getWindowAt } from '../budgets/period.ts';
import { keysetPage } from '../../database/keyset.ts';
import { AlertsRepository, type StoredAlert } from './alerts.repository.ts';
import { noSuchAlert } from './alerts.service.ts';
import {
  type BudgetAlertDelivery,
  type BudgetAlertDeliveryListQuery,
  type BudgetAlertDeliveryPage,
  type DeliveryPath,
  toDelivery,
} from './deliveries.dto.ts';
import { DeliveriesRepository, type NewTest, type StoredDelivery } from './deliveries.repository.ts';

const HUNDRED_USD = '100.000000000';

/**
 * Deliveries: reads, sending one again, and trying an alert out. Every write is one transaction
 * with its audit event; the outbox does the rest.
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

  /** A page of an alert's deliveries, newest first. @throws HttpError not_found */
  async list(
    caller: Caller,
    alertId: string,
    { state, ...query }: BudgetAlertDeliveryListQuery,
  ): Promise<BudgetAlertDeliveryPage> {
    if ((await this.alerts.find(alertId)) === undefined) noSuchAlert();
    const { rows, ...cursors } = await keysetPage<StoredDelivery>(
      this.cursors,
      {
        binding: { list: 'budget-alert-deliveries', filters: { alert_id: alertId, state }, caller },
        keyOf: (row) => [row.sequence],
        read: (step) => this.deliveries.list(alertId, state, step),
      },
      query,
    );
    return { items: rows.map(toDelivery), ...cursors };
  }

  /** @throws HttpError not_found */
  async get({ id, delivery_id }: DeliveryPath): Promise<BudgetAlertDelivery> {
    return toDelivery((await this.deliveries.find(id, delivery_id)) ?? noSuchDelivery());
  }

  /**
   * Makes a delivery due at once, whatever came of it.
   * @throws HttpError not_found, conflict while the alert is switched off
   */
  resend(caller: Caller, { id, delivery_id }: DeliveryPath): Promise<BudgetAlertDelivery> {
    return this.ofAlert(id, noSuchDelivery, async (manager, alert) => {
      const found = (await this.deliveries.find(id, delivery_id, manager)) ?? noSuchDelivery();
      if (!alert.enabled && found.kind === 'crossing')
        throw new HttpError('conflict', 'the alert is switched off; enable it first, and what waits is sent');
      const row = await this.deliveries.renew(manager, id, delivery_id, this.clock.now().toISOString());
      await this.record(manager, caller, 'Resend budget alert delivery', id, `deliveries/${delivery_id}`);
      return toDelivery(row ?? noSuchDelivery());
    });
  }

  /** Sends a sample, once, also for an alert that is switched off. @throws HttpError not_found */
  test(caller: Caller, id: string): Promise<BudgetAlertDelivery> {
    return this.ofAlert(id, noSuchAlert, async (manager, alert) => {
      const row = await this.deliveries.insertTest(manager, this.sampleOf(alert));
      await this.record(manager, caller, 'Test budget alert', id, `deliveries/${row.id}`);
      return toDelivery(row);
    });
  }

  /**
   * A crossing of the alert's first threshold, at a limit of 100 USD, by its own subject or by one
   * that is called `sample`.
   */
  private sampleOf({ id, scope, subject_id, periods, thresholds: [threshold = 100] }: StoredAlert): NewTest {
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
      limit_usd: HUNDRED_USD,
      used_usd: `${threshold}.000000000`,
      reserved_usd: '0.000000000',
      created_at: now.toISOString(),
    };
  }

  private ofAlert<T>(
    id: string,
    missing: () => never,
    work: (manager: EntityManager, alert: StoredAlert) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.dataSource, async (manager) =>
      work(manager, (await this.alerts.hold(manager, id)) ?? missing()),
    );
  }

  private record(manager: EntityManager, caller: Caller, operation: string, id: string, field: string): Promise<void> {
    const change = { operation, object_kind: 'budget_alert', object_id: id, changed_fields: [field] };
    return this.audit.record(manager, caller, change);
  }
}

function noSuchDelivery(): never {
  throw new HttpError('not_found', 'there is no such delivery of this budget alert');
}
