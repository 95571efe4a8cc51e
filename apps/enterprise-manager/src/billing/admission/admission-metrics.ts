import { Metrics } from '@gatehouse/service-kit/metrics';
import type { Usd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { DenialReason } from './admission.dto.ts';
import type { Reservation } from './reservation.ts';

/** The metrics of admission. Amounts are in nano-dollars, so that they are integers. */
@Injectable()
export class AdmissionMetrics {
  private readonly decisions;
  private readonly reserved;
  private readonly batchSizes;
  private readonly secondRounds;
  private readonly expired;
  private readonly released;

  constructor(metrics: Metrics) {
    this.decisions = metrics.counter<{ kind: string; decision: string; reason?: string }>(
      'gatehouse.admissions',
      'Decisions on requests and leases; repeated requests are counted as repeated',
      '{decision}',
    );
    this.reserved = metrics.counter<{ kind: string }>(
      'gatehouse.reserved',
      'Amounts that admitted requests and leases reserved, in nano-dollars',
      '{nano_usd}',
    );
    this.batchSizes = metrics.histogram(
      'gatehouse.admission.batch',
      'Number of requests and leases decided in one transaction',
      '{request}',
    );
    this.secondRounds = metrics.counter(
      'gatehouse.admission.second_rounds',
      'Requests and leases that a second transaction decided, with locked budget cells',
      '{request}',
    );
    this.expired = metrics.counter<{ kind: string }>(
      'gatehouse.reservations.expired',
      'Reservations and leases that expired before settlement or return',
      '{reservation}',
    );
    this.released = metrics.counter<{ kind: string }>(
      'gatehouse.released',
      'Unused amounts of returned or expired reservations and leases, in nano-dollars',
      '{nano_usd}',
    );
  }

  /** Counts an admitted request or a granted lease. */
  recordAdmission({ kind, held }: Pick<Reservation, 'kind' | 'held'>, repeated: boolean): void {
    this.decisions.add(1, { kind, decision: repeated ? 'repeated' : 'admitted' });
    if (!repeated) this.reserved.add(Number(held), { kind });
  }

  /** Counts a denied request or lease. */
  recordDenial(kind: Reservation['kind'], reason: DenialReason): void {
    this.decisions.add(1, { kind, decision: 'denied', reason });
  }

  /** Counts a batch. @param undecided the number of its requests that needed a second round */
  recordBatch(size: number, undecided: number): void {
    this.batchSizes.record(size);
    this.secondRounds.add(undecided);
  }

  /** Counts an unused amount that returned to its budget cells. */
  recordRelease(kind: Reservation['kind'], amount: Usd): void {
    this.released.add(Number(amount), { kind });
  }

  /** Counts an expired reservation or lease. */
  recordExpiry({ kind, held }: Pick<Reservation, 'kind' | 'held'>): void {
    this.expired.add(1, { kind });
    this.recordRelease(kind, held);
  }
}
