import { type Usd } from '@gatehouse/money/usd';
import type { Metrics } from '@gatehouse/service-kit/metrics';
import type { DenialReason } from './budget-calls.ts';

/** The state that gauges show. */
export interface AdmissionState {
  readonly openLeases: number;
  /** The unused amount of open leases. */
  readonly leased: Usd;
  readonly awayMs: number;
}

const NANO_PER_USD = 1e9;

/** The metrics of admission. */
export class AdmissionMetrics {
  private readonly admitted;
  private readonly denied;
  private readonly refusedLeases;

  constructor(private readonly metrics: Metrics) {
    this.admitted = metrics.counter<{ kind: 'lease' | 'single' | 'open' }>(
      'gatehouse.model_calls.admitted',
      'Admitted attempts: within a lease, by the enterprise manager, or without admission (failure mode Open)',
      '{attempt}',
    );
    this.denied = metrics.counter<{ reason: string }>(
      'gatehouse.model_calls.denied',
      'Attempts that were not admitted, by the reason for administrators',
      '{attempt}',
    );
    this.refusedLeases = metrics.counter<{ reason: string }>(
      'gatehouse.budget_leases.refused',
      'Requests for leases that the enterprise manager refused',
      '{lease}',
    );
  }

  recordAdmission(kind: 'lease' | 'single' | 'open'): void {
    this.admitted.add(1, { kind });
  }

  recordDenial(reason: DenialReason | 'manager_away' | 'too_many_waiting'): void {
    this.denied.add(1, { reason });
  }

  recordRefusedLease(reason: DenialReason): void {
    this.refusedLeases.add(1, { reason });
  }

  /** Shows the state of leases at each export. The amount is a figure for charts, not for sums. */
  observe(read: () => AdmissionState): void {
    const gauge = (name: string, description: string, unit: string, get: (state: AdmissionState) => number) =>
      this.metrics.meter
        .createObservableGauge(name, { description, unit })
        .addCallback((result) => result.observe(get(read())));
    gauge('gatehouse.budget_leases.open', 'Open leases', '{lease}', ({ openLeases }) => openLeases);
    gauge(
      'gatehouse.budget_leases.unused',
      'Unused amount of open leases',
      'USD',
      ({ leased }) => Number(leased) / NANO_PER_USD,
    );
    gauge('gatehouse.manager_away', 'Time since the enterprise manager does not answer', 's', ({ awayMs }) =>
      Math.round(awayMs / 1_000),
    );
  }
}
