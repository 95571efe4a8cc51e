import { inTransaction } from '@gatehouse/database/transaction';
import { isUnavailable } from '@gatehouse/database/unavailable';
import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AuditService } from '@gatehouse/audit/audit.service';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { AlertSecretsRepository } from './alert-secrets.repository.ts';
import { AlertSecrets } from './alert-secrets.ts';
import { AlertsRepository } from './alerts.repository.ts';
import { BudgetScanner } from './budget-scanner.ts';
import { ATTEMPT_MS, sendDelivery, type SendResult } from './delivery-sender.ts';
import { type AttemptOutcome, type ClaimedDelivery, OutboxRepository } from './outbox.repository.ts';
import { computeNextAttempt } from './retry-schedule.ts';

const POLL_INTERVAL_MS = 1_000;
const CLEANUP_INTERVAL_MS = 60 * 60 * 1_000;

/** Maximum number of concurrent attempts of one alert on a replica. */
const MAX_ATTEMPTS_PER_ALERT = 2;

/** Duration of a claim. It is longer than an attempt with its reads and writes. */
const CLAIM_MS = 4 * ATTEMPT_MS;

/** Wait before the next attempt of a delivery whose secret this replica cannot open. */
const UNSIGNED_DELAY_MS = 60_000;

/** Maximum number of tries to record an outcome, one a second, within the duration of the claim. */
const MAX_RECORD_TRIES = 30;
const RECORD_BACKOFF = { firstMs: 1_000, longestMs: 1_000, jitter: 0 };

/**
 * Sends due deliveries. All replicas run it: a replica claims a delivery, sends it without an open
 * transaction and records the outcome. A killed replica leaves a delivery that is due again when
 * its claim ends, so each delivery is sent at least once, always with the same `webhook-id`. While
 * the database is unavailable, nothing is sent or lost; readiness does not depend on this worker.
 */
@Injectable()
export class OutboxWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly runningByAlert = new Map<string, number>();
  private readonly attempts = new Set<Promise<void>>();
  private readonly attemptCounter;
  private timer: NodeJS.Timeout | undefined;
  private currentRun: Promise<void> | undefined;
  private shouldRunAgain = false;
  private isFailing = false;
  private lastCleanup = -Infinity;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly alerts: AlertsRepository,
    private readonly secrets: AlertSecrets,
    private readonly secretRows: AlertSecretsRepository,
    private readonly scanner: BudgetScanner,
    private readonly audit: AuditService,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.attemptCounter = metrics.counter<{ result: 'delivered' | 'retried' | 'failed' }>(
      'gatehouse.budget_alerts.deliveries',
      'Attempts to deliver budget alerts: delivered, retried later, or failed permanently',
      '{attempt}',
    );
  }

  onApplicationBootstrap(): void {
    const age = this.metrics.meter.createObservableGauge('gatehouse.budget_alerts.outbox_age', {
      description: 'Time since the oldest due delivery of budget alerts became due',
      unit: 's',
    });
    age.addCallback(async (result) => {
      const now = this.clock.now();
      const since = await this.outbox.findOldestDueTime(now);
      result.observe(since === undefined ? 0 : (now.getTime() - since.getTime()) / 1_000);
    });
    this.timer = setInterval(() => this.startRun(), POLL_INTERVAL_MS).unref();
    this.startRun();
  }

  /** Aborts running attempts and ends their claims, so that another replica sends them. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.currentRun;
    await Promise.all(this.attempts);
  }

  /** Starts a run, or repeats the current run when it ends. */
  private startRun(): void {
    if (this.stopping.signal.aborted) return;
    if (this.currentRun !== undefined) {
      this.shouldRunAgain = true;
      return;
    }
    this.currentRun = this.run().finally(() => {
      this.currentRun = undefined;
      if (!this.shouldRunAgain) return;
      this.shouldRunAgain = false;
      this.startRun();
    });
  }

  private async run(): Promise<void> {
    try {
      await this.scanner.runRequestedScan();
      await this.startAttempts();
      await this.deleteExpired();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.log.warn({ err: error }, 'budget alerts wait until the database is available again');
      this.isFailing = true;
    }
  }

  private async startAttempts(): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    const claimed = await this.outbox.claimDue(now, until, randomUUID(), this.runningByAlert, MAX_ATTEMPTS_PER_ALERT);
    for (const delivery of claimed) {
      this.runningByAlert.set(delivery.alert_id, (this.runningByAlert.get(delivery.alert_id) ?? 0) + 1);
      const attempt = this.deliver(delivery).finally(() => {
        this.attempts.delete(attempt);
        const running = (this.runningByAlert.get(delivery.alert_id) ?? 1) - 1;
        if (running === 0) this.runningByAlert.delete(delivery.alert_id);
        else this.runningByAlert.set(delivery.alert_id, running);
        this.startRun();
      });
      this.attempts.add(attempt);
    }
  }

  /**
   * Sends one delivery and records the outcome. It never rejects: a delivery without a recorded
   * outcome is due again when its claim ends.
   */
  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    try {
      const now = this.clock.now();
      const secrets = await this.openSecrets(delivery, now);
      if (secrets === undefined) return;
      const body = await this.outbox.getBody(delivery);
      const result = await sendDelivery({ ...delivery, body }, secrets, now, {
        allowLoopback: this.settings.ALLOW_LOOPBACK_UPSTREAMS,
        signal: this.stopping.signal,
      });
      await this.retryRecord(() => this.record(delivery, result, now));
    } catch (error) {
      if (this.stopping.signal.aborted || isUnavailable(error)) await this.releaseClaim(delivery);
      else
        this.log.error(
          { err: error, delivery: delivery.id },
          'a delivery of a budget alert failed unexpectedly; it is sent again when its claim ends',
        );
    }
  }

  /**
   * @returns undefined when no secret can be opened; the delivery is postponed without an attempt
   */
  private async openSecrets(delivery: ClaimedDelivery, now: Date): Promise<Uint8Array[] | undefined> {
    try {
      const secrets = await this.secrets.openValid(delivery.alert_id, now);
      if (secrets.length > 0) return secrets;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.log.error(
        { err: error, alert: delivery.alert_id },
        'the secret of a budget alert cannot be opened; check the key-encryption keys of this replica',
      );
    }
    await this.outbox.postpone(delivery, new Date(now.getTime() + UNSIGNED_DELAY_MS));
    return undefined;
  }

  /** Retries the recording of an outcome, so that a short outage does not repeat a delivery. */
  private retryRecord(record: () => Promise<void>): Promise<void> {
    return retry(record, {
      backoff: new Backoff(RECORD_BACKOFF),
      maxRetries: MAX_RECORD_TRIES - 1,
      shouldRetry: () => !this.stopping.signal.aborted,
    });
  }

  private async record(delivery: ClaimedDelivery, result: SendResult, at: Date): Promise<void> {
    const outcome = this.toOutcome(delivery, result, at);
    if (result.status === 410) await this.recordGone(delivery, outcome);
    else await this.outbox.recordOutcome(delivery, outcome);
    this.attemptCounter.add(1, { result: outcome.state === 'pending' ? 'retried' : outcome.state });
  }

  private toOutcome(
    { kind, tries }: ClaimedDelivery,
    { status, error, retryAfterMs }: SendResult,
    at: Date,
  ): AttemptOutcome {
    const attempt = {
      at: at.toISOString(),
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
    };
    if (error === undefined) return { attempt, state: 'delivered', next_attempt_at: undefined };
    const isLast = kind === 'test' || status === 410;
    const next = isLast ? undefined : computeNextAttempt(tries + 1, this.clock.now(), retryAfterMs, Math.random());
    return { attempt, state: next === undefined ? 'failed' : 'pending', next_attempt_at: next?.toISOString() };
  }

  /** Records a 410 (Standard Webhooks: Gone) and disables the alert, with an audit event. */
  private recordGone(delivery: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
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
      await this.outbox.recordOutcome(delivery, outcome, manager);
    });
  }

  private async releaseClaim(delivery: ClaimedDelivery): Promise<void> {
    await this.outbox.postpone(delivery, this.clock.now()).catch(() => undefined);
  }

  private async deleteExpired(): Promise<void> {
    const now = this.clock.now();
    if (Math.abs(now.getTime() - this.lastCleanup) < CLEANUP_INTERVAL_MS) return;
    while (!this.stopping.signal.aborted && (await this.outbox.deleteExpired(now)));
    await this.secretRows.deleteExpired(now.toISOString());
    this.lastCleanup = now.getTime();
  }
}
