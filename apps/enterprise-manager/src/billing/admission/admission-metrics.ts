import { Metrics } from '@gatehouse/service-kit/metrics';
import type { Usd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { Denial } from './admission.dto.ts';
import type { Reservation } from './reservation.ts';

/**
 * What there is to count about admission. Amounts are in nano-dollars, so that they are whole
 * numbers here too.
 */
@Injectable()
export class AdmissionMetrics {
  private readonly decisions;
  private readonly reserved;
  private readonly sizes;
  private readonly secondRounds;
  private readonly expired;
  private readonly released;

  constructor(metrics: Metrics) {
    this.decisions = metrics.counter<{ kind: string; decision: string; reason?: string }>(
      'gatehouse.admissions',
      'Requests and leases that were decided; repeats are counted as such',
      '{decision}',
    );
    this.reserved = metrics.counter<{ kind: string }>(
      'gatehouse.reserved',
      'What admitted requests and leases have reserved, in nano-dollars',
      '{nano_usd}',
    );
    this.sizes = metrics.histogram('gatehouse.admission.batch', 'How many were decided in one transaction', '{ask}');
    this.secondRounds = metrics.counter(
      'gatehouse.admission.second_rounds',
      'Requests whose likely payer could not pay after all',
      '{ask}',
    );
    this.expired = metrics.counter<{ kind: string }>(
      'gatehouse.reservations.expired',
      'Reservations and leases that ended before they were settled or returned',
      '{reservation}',
    );
    this.released = metrics.counter<{ kind: string }>(
      'gatehouse.released',
      'What was reserved and has been given back unused by returned or expired ones, in nano-dollars',
      '{nano_usd}',
    );
  }

  /** Something was admitted or granted. */
  admitted({ kind, held }: Pick<Reservation, 'kind' | 'held'>, repeated: boolean): void {
    this.decisions.add(1, { kind, decision: repeated ? 'repeated' : 'admitted' });
    if (!repeated) this.reserved.add(Number(held), { kind });
  }

  denied(kind: Reservation['kind'], reason: Denial): void {
    this.decisions.add(1, { kind, decision: 'denied', reason });
  }

  /** @param open how many of them took a second round */
  batch(size: number, open: number): void {
    this.sizes.record(size);
    this.secondRounds.add(open);
  }

  /** An amount was given back unused. */
  gaveBack(kind: Reservation['kind'], amount: Usd): void {
    this.released.add(Number(amount), { kind });
  }

  /** Something ended by its time. */
  ended({ kind, held }: Pick<Reservation, 'kind' | 'held'>): void {
    this.expired.add(1, { kind });
    this.gaveBack(kind, held);
  }
}
