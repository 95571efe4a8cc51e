import { Log } from '@gatehouse/service-kit/log';
import { Metrics } from '@gatehouse/service-kit/metrics';
import { USD_DIGITS, type Usd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { PricedCase } from './settlement.ts';
import type { Receipt } from './usage-events.dto.ts';

/** Metrics and logs of usage reports. Amounts of metrics are floats, for graphs only. */
@Injectable()
export class UsageMetrics {
  private readonly reports;
  private readonly overrun;
  private readonly late;
  private readonly unadmitted;
  private readonly foreign;
  private readonly unknown;
  private readonly moved;

  constructor(
    metrics: Metrics,
    private readonly log: Log,
  ) {
    this.reports = metrics.counter(
      'gatehouse.usage.reports',
      'Usage reports, by the status of their receipt',
      '{report}',
    );
    this.overrun = metrics.counter('gatehouse.usage.overrun', 'Charged above the estimate of the admission', 'USD');
    this.late = metrics.counter('gatehouse.usage.late', 'Charged after the reservation had expired', '{report}');
    this.unadmitted = metrics.counter('gatehouse.usage.unadmitted', 'Charged without an admission', '{report}');
    this.foreign = metrics.counter(
      'gatehouse.usage.unregistered',
      'Rejected because the gateway is not registered for the client',
      '{report}',
    );
    this.unknown = metrics.counter('gatehouse.usage.unknown', 'Charged 0 because no usage is known', '{report}');
    this.moved = metrics.counter(
      'gatehouse.usage.moved',
      'Reported with another time than that of the admission',
      '{report}',
    );
  }

  /** Counts a report of a gateway that is not registered for the client. */
  countUnregistered(): void {
    this.foreign.add(1);
  }

  /** Counts the cases of a committed transaction. */
  countSettled(cases: readonly PricedCase[]): void {
    const count = (counter: Counter, is: (one: PricedCase) => boolean) => addPositive(counter, cases.filter(is).length);
    count(this.unadmitted, ({ admission, lease }) => (admission ?? lease) === undefined);
    count(this.late, ({ admission, lease }) => (admission ?? lease)?.released_at !== undefined);
    count(
      this.moved,
      ({ admission, report, time }) => admission !== undefined && time.getTime() !== Date.parse(report.event_time),
    );
    const over = cases.reduce((sum, one) => sum + computeOverrun(one), 0n);
    addPositive(this.overrun, Number(over) / 10 ** USD_DIGITS);
    for (const { report, price } of cases) {
      if (price?.basis !== 'none') continue;
      this.unknown.add(1, { outcome: report.outcome });
      if (report.outcome !== 'delivered') continue;
      const { interaction_id, attempt, gateway_id } = report;
      this.log.warn(
        { interaction_id, attempt, gateway_id },
        'a delivered request is charged 0, because its report has no usage',
      );
    }
  }

  /** Counts receipts by their status. */
  countReceipts(receipts: readonly Receipt[]): void {
    const counts = new Map<string, number>();
    for (const { status } of receipts) counts.set(status, (counts.get(status) ?? 0) + 1);
    for (const [status, count] of counts) this.reports.add(count, { status });
  }

  /** Logs a repeated report with other content, without the content. */
  logConflict({ interaction_id, attempt, gateway_id }: PricedCase['report'], event_id: string): void {
    this.log.warn(
      { interaction_id, attempt, gateway_id, event_id },
      'an attempt was reported again with other content; the first report stays',
    );
  }
}

type Counter = ReturnType<Metrics['counter']>;

const addPositive = (counter: Counter, count: number): void => {
  if (count > 0) counter.add(count);
};

/** The amount by which a charge exceeds the estimate of its admission. */
function computeOverrun({ admission, price }: PricedCase): Usd {
  const over = admission === undefined || price === undefined ? 0n : price.charged - admission.amount;
  return over > 0n ? over : 0n;
}
