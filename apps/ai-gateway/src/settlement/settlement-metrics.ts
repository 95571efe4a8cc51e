import type { Log } from '@gatehouse/service-kit/log';
import type { Metrics } from '@gatehouse/service-kit/metrics';
import type { DeliveryObserver } from './usage-delivery.ts';
import type { UsageReceipt } from './usage-reports.ts';
import type { UsageOutbox } from './usage-outbox.ts';

/** Metrics and logs of the settlement. Amounts of metrics are floats, for graphs only. */
export class SettlementMetrics implements DeliveryObserver {
  private readonly reports;
  private readonly charged;
  private readonly commits;

  constructor(
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {
    this.reports = metrics.counter<{ status: string }>(
      'gatehouse.usage.delivered',
      'Usage events with a result of the enterprise manager, by its status',
      '{event}',
    );
    this.charged = metrics.counter<{ basis: string }>(
      'gatehouse.usage.charged',
      'Charged by the enterprise manager, by the basis of the usage',
      'USD',
    );
    this.commits = metrics.histogram(
      'gatehouse.usage.commit.duration',
      'Duration of a commit of the usage outbox, which the ends of requests share',
    );
  }

  /** Observes an outbox until the service ends. */
  observe(outbox: UsageOutbox, now: () => Date): void {
    const { meter } = this.metrics;
    meter
      .createObservableGauge('gatehouse.usage.outbox.events', {
        description: 'Usage events that wait for delivery or were rejected, and attempts that run',
        unit: '{event}',
      })
      .addCallback((result) => {
        for (const [state, count] of Object.entries(outbox.counts)) result.observe(count, { state });
      });
    meter
      .createObservableGauge('gatehouse.usage.outbox.oldest_age', {
        description: 'Age of the oldest usage event that waits for delivery',
        unit: 's',
      })
      .addCallback(async (result) => {
        const oldest = await outbox.readOldest().catch(() => undefined);
        result.observe(oldest === undefined ? 0 : Math.max(0, now().getTime() - oldest) / 1_000);
      });
  }

  handleCommit(seconds: number): void {
    this.commits.record(seconds);
  }

  handleStorageProblem(error: unknown): void {
    this.log.error({ err: error }, 'usage cannot be stored; requests are refused until it can');
  }

  handleReceipt({ status, charged_usd, basis = 'none' }: UsageReceipt): void {
    this.reports.add(1, { status });
    if (status === 'charged') this.charged.add(Number(charged_usd ?? 0), { basis });
  }

  handleProblem({ status, error }: UsageReceipt, attempt: { interaction_id: string; attempt: number }): void {
    const { interaction_id } = attempt;
    const fields = { interaction_id, attempt: attempt.attempt, status, reason: error };
    if (status === 'conflict') this.log.warn(fields, 'usage was reported before with other content; that report stays');
    else this.log.error(fields, 'a usage event was rejected; it is kept, and reported again after the next start');
  }

  handleOutage(error: unknown): void {
    this.log.warn({ err: error }, 'usage cannot be delivered; it waits in the outbox until it can');
  }

  handleRecovery(failures: number): void {
    this.log.info({ failures }, 'usage is delivered again');
  }
}
