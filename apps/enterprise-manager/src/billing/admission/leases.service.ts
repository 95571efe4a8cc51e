import { inTransaction } from '@gatehouse/database/transaction';
import { type Usd, writeUsd } from '@gatehouse/money/usd';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CellsRepository } from '../budgets/cells.repository.ts';
import { Gateways } from '../../gateways/settings/gateways.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { AdmissionDecider } from './admission-decider.ts';
import type { ExtendedReservation, LeaseAnswer, LeaseRequest } from './leases.dto.ts';
import { computeCellChanges } from './reservation.ts';
import { ReservationsRepository } from './reservations.repository.ts';

/** Retries of a transaction after a serialization failure or a deadlock. */
const MAX_RETRIES = 5;

/** Grants and returns leases, and extends reservations. */
@Injectable()
export class LeasesService {
  constructor(
    private readonly decider: AdmissionDecider,
    private readonly reservations: ReservationsRepository,
    private readonly cells: CellsRepository,
    private readonly gateways: Gateways,
    private readonly metrics: AdmissionMetrics,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Grants the requested amount, or the remaining amount of the first payer that has one. A
   * repeated lease id returns the same lease.
   * @throws HttpError forbidden for a gateway of another caller, not_found, conflict, unavailable
   */
  async grant(caller: Caller, request: LeaseRequest): Promise<LeaseAnswer> {
    this.gateways.requireOwn(caller, request.gateway_id, { kinds: ['ai'] });
    const outcome = await this.decider.decide({ kind: 'lease', id: request.lease_id, body: request });
    if ('denial' in outcome) {
      this.metrics.recordDenial('lease', outcome.denial);
      this.log.info({ reason: outcome.denial, gateway_id: request.gateway_id }, 'a lease was denied');
      return { granted_usd: '0', reason: outcome.denial };
    }
    const { reservation, keyVersion, repeated } = outcome;
    this.metrics.recordAdmission(reservation, repeated);
    const { id, amount, payer, expires_at, pricing_catalog_id } = reservation;
    return {
      lease_id: id,
      granted_usd: writeUsd(amount),
      ...(payer && { payer }),
      expires_at: expires_at.toISOString(),
      pricing_catalog_id,
      key_version: keyVersion,
    };
  }

  /**
   * Returns the unused amount of a lease to its payer. The rest stays reserved until the lease
   * ends, for usage that the gateway has not reported yet. A second return changes nothing.
   * @throws HttpError not_found
   */
  async returnLease(caller: Caller, id: string, unused: Usd): Promise<void> {
    const now = this.clock.now();
    const released = await inTransaction(
      this.dataSource,
      async (manager) => {
        const [lease] = await this.reservations.lockForGateways(manager, id, this.gateways.listIds(caller, 'ai'));
        if (lease?.kind !== 'lease') throw new HttpError('not_found', 'there is no such lease');
        if (lease.returned_at !== undefined || lease.released_at !== undefined) return 0n;
        const returned = unused < lease.held ? unused : lease.held;
        await this.reservations.recordReturn(manager, id, lease.held - returned, now);
        const changes = computeCellChanges(lease, -returned);
        if (changes.length > 0) await this.cells.applyChanges(manager, changes);
        return returned;
      },
      { retries: MAX_RETRIES },
    );
    this.metrics.recordRelease('lease', released);
  }

  /**
   * Extends the reservation of a running request.
   * @throws HttpError not_found for a reservation that was settled or has expired
   */
  async extendReservation(caller: Caller, id: string, seconds: number): Promise<ExtendedReservation> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + seconds * 1_000);
    const expiresAt = await inTransaction(this.dataSource, (manager) =>
      this.reservations.extend(manager, id, this.gateways.listIds(caller, 'ai'), until, now),
    );
    if (expiresAt === undefined)
      throw new HttpError('not_found', 'there is no such reservation, or it was settled or has expired');
    return { reservation_id: id, expires_at: expiresAt.toISOString() };
  }
}
