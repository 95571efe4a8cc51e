import { inTransaction } from '@gatehouse/database/transaction';
import { isUnavailable } from '@gatehouse/database/unavailable';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { AlertSecretsRepository } from './alert-secrets.repository.ts';
import { AlertSecrets } from './alert-secrets.ts';
import { AlertsRepository } from './alerts.repository.ts';
import { BudgetLooks } from './budget-looks.ts';
import { ATTEMPT_MS, send, type SendResult } from './delivery-sender.ts';
import { OutboxRepository, type Outcome, type TakenDelivery } from './outbox.repository.ts';
import { nextAttemptAt } from './retry-schedule.ts';

const EVERY_MS = 1_000;
const CLEAN_EVERY_MS = 60 * 60 * 1_000;

/** Deliveries of one alert that a replica sends at once. Those of others never wait for them. */
const PER_ALERT = 2;

/**
 * How long what was taken stays taken: longer than an attempt can last with everything around it.
 */
const LEASE_MS = 4 * ATTEMPT_MS;

/** When a delivery is tried again whose secret could not be opened here. */
const UNSIGNED_MS = 60_000;

/**
 * How often it is tried to write down what a target was told, once a second: as long as the lease
 * surely lasts.
 */
const WRITE_TRIES = 30;
const WRITE_AGAIN_MS = 1_000;

/**
 * Sends what is due. Any number of replicas do: a row is taken by one of them, sent with no
 * transaction open, and written down. A replica that is killed in between leaves a row that is due
 * again when its lease ends: it is sent at least once, and always under the same `webhook-id`.
 * While the database cannot answer nothing is sent and nothing is lost; readiness has nothing to do
 * with it.
 */
@Injectable()
export class OutboxWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly sending = new Map<string, number>();
  private readonly attempts = new Set<Promise<void>>();
  private readonly counted;
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<void> | undefined;
  private again = false;
  private failing = false;
  private cleanedAt = -Infinity;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly alerts: AlertsRepository,
    private readonly secrets: AlertSecrets,
    private readonly secretRows: AlertSecretsRepository,
    private readonly looks: BudgetLooks,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.counted = metrics.counter<{ result: 'delivered' | 'retried' | 'failed' }>(
      'gatehouse.budget_alerts.deliveries',
      'Attempts to deliver budget alerts: delivered, to be tried again, or failed for good',
      '{attempt}',
    );
  }

  onApplicationBootstrap(): void {
    const age = this.metrics.meter.createObservableGauge('gatehouse.budget_alerts.outbox_age', {
      description: 'How long the budget alert has been due that waits longest',
      unit: 's',
    });
    age.addCallback(async (result) => {
      const now = this.clock.now();
      const since = await this.outbox.longestDue(now);
      result.observe(since === undefined ? 0 : (now.getTime() - since.getTime()) / 1_000);
    });
    this.timer = setInterval(() => this.kick(), EVERY_MS).unref();
    this.kick();
  }

  /** Attempts that are under way are broken off and given back: another replica makes them. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.pass;
    await Promise.all(this.attempts);
  }

  private kick(): void {
    if (this.stopping.signal.aborted) return;
    if (this.pass !== undefined) {
      this.again = true;
      return;
    }
    this.pass = this.run().finally(() => {
      this.pass = undefined;
      if (!this.again) return;
      this.again = false;
      this.kick();
    });
  }

  private async run(): Promise<void> {
    try {
      await this.looks.look();
      await this.takeAndSend();
      await this.clean();
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.log.warn({ err: error }, 'budget alerts wait until the database answers again');
      this.failing = true;
    }
  }

  private async takeAndSend(): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const taken = await this.outbox.take(now, until, randomUUID(), this.sending, PER_ALERT);
    for (const delivery of taken) {
      this.sending.set(delivery.alert_id, (this.sending.get(delivery.alert_id) ?? 0) + 1);
      const attempt = this.attempt(delivery).finally(() => {
        this.attempts.delete(attempt);
        const left = (this.sending.get(delivery.alert_id) ?? 1) - 1;
        if (left === 0) this.sending.delete(delivery.alert_id);
        else this.sending.set(delivery.alert_id, left);
        this.kick();
      });
      this.attempts.add(attempt);
    }
  }

  /**
   * Sends one delivery and writes down what came of it. Never rejects: what cannot be written down
   * is due again after the lease.
   */
  private async attempt(delivery: TakenDelivery): Promise<void> {
    try {
      const now = this.clock.now();
      const secrets = await this.openSecrets(delivery, now);
      if (secrets === undefined) return;
      const body = await this.outbox.bodyOf(delivery);
      const result = await send({ ...delivery, body }, secrets, now, {
        allowLoopback: this.settings.ALLOW_LOOPBACK_UPSTREAMS,
        signal: this.stopping.signal,
      });
      await this.untilWritten(() => this.record(delivery, result, now));
    } catch (error) {
      if (this.stopping.signal.aborted || isUnavailable(error)) await this.giveBack(delivery);
      else this.log.error({ err: error, delivery: delivery.id }, 'a budget alert is sent again after its lease');
    }
  }

  /** @returns undefined where nothing can be signed: the delivery waits, and no attempt counts */
  private async openSecrets(delivery: TakenDelivery, now: Date): Promise<Uint8Array[] | undefined> {
    try {
      const secrets = await this.secrets.open(delivery.alert_id, now);
      if (secrets.length > 0) return secrets;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.log.error({ err: error, alert: delivery.alert_id }, 'the secret of a budget alert cannot be opened');
    }
    await this.outbox.putOff(delivery, new Date(now.getTime() + UNSIGNED_MS));
    return undefined;
  }

  /** A target that was told is not told again because the database was busy for a moment. */
  private async untilWritten(write: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await write();
        return;
      } catch (error) {
        if (tries === WRITE_TRIES || this.stopping.signal.aborted) throw error;
        await sleep(WRITE_AGAIN_MS);
      }
    }
  }

  private async record(delivery: TakenDelivery, result: SendResult, at: Date): Promise<void> {
    const outcome = this.outcomeOf(delivery, result, at);
    if (result.status === 410) await this.recordGone(delivery, outcome);
    else await this.outbox.record(delivery, outcome);
    this.counted.add(1, { result: outcome.state === 'pending' ? 'retried' : outcome.state });
  }

  private outcomeOf({ kind, tries }: TakenDelivery, { status, error, askedMs }: SendResult, at: Date): Outcome {
    const attempt = {
      at: at.toISOString(),
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
    };
    if (error === undefined) return { attempt, state: 'delivered', next_attempt_at: undefined };
    const last = kind === 'test' || status === 410;
    const next = last ? undefined : nextAttemptAt(tries + 1, this.clock.now(), askedMs, Math.random());
    return { attempt, state: next === undefined ? 'failed' : 'pending', next_attempt_at: next?.toISOString() };
  }

  /**
   * The target wants no more (Standard Webhooks: 410 Gone): the alert is switched off with the
   * failure, and the trail says by what.
   */
  private recordGone(delivery: TakenDelivery, outcome: Outcome): Promise<void> {
    return inTransaction(this.dataSource, async (manager) => {
      const now = this.clock.now().toISOString();
      if (await this.alerts.disable(manager, delivery.alert_id, delivery.url, now))
        await this.audit.record(
          manager,
          { issuer: 'gatehouse', subject: 'budget-alerts', requestId: delivery.id },
          {
            operation: 'Disable budget alert',
            object_kind: 'budget_alert',
            object_id: delivery.alert_id,
            changed_fields: ['enabled'],
          },
        );
      await this.outbox.record(delivery, outcome, manager);
    });
  }

  private async giveBack(delivery: TakenDelivery): Promise<void> {
    await this.outbox.putOff(delivery, this.clock.now()).catch(() => undefined);
  }

  private async clean(): Promise<void> {
    const now = this.clock.now();
    if (Math.abs(now.getTime() - this.cleanedAt) < CLEAN_EVERY_MS) return;
    while (!this.stopping.signal.aborted && (await this.outbox.removeOld(now)));
    await this.secretRows.removeEnded(now.toISOString());
    this.cleanedAt = now.getTime();
  }
}
