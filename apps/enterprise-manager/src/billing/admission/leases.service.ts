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
import { Admissions } from './admissions.ts';
import type { ExtendedReservation, LeaseAnswer, LeaseRequest } from './leases.dto.ts';
import { cellChangesOf } from './reservation.ts';
import { ReservationsRepository } from './reservations.repository.ts';

const RETRIES = 5;

/** Slices of budgets for gateways, and longer lives for reservations. */
@Injectable()
export class LeasesService {
  constructor(
    private readonly admissions: Admissions,
    private readonly reservations: ReservationsRepository,
    private readonly cells: CellsRepository,
    private readonly gateways: Gateways,
    private readonly metrics: AdmissionMetrics,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Grants the amount, or what the first payer with anything left has left. A repeat of a lease id
   * is the same lease.
   * @throws HttpError not_found, conflict
   */
  async grant(caller: Caller, request: LeaseRequest): Promise<LeaseAnswer> {
    this.gateways.requireOwn(caller, request.gateway_id, { kinds: ['ai'] });
    const outcome = await this.admissions.ask({ kind: 'lease', id: request.lease_id, request });
    if ('denial' in outcome) {
      this.metrics.denied('lease', outcome.denial);
      this.log.info({ reason: outcome.denial, gateway_id: request.gateway_id }, 'a lease was not granted');
      return { granted_usd: '0', reason: outcome.denial };
    }
    const { reservation, keyVersion, repeated } = outcome;
    this.metrics.admitted(reservation, repeated);
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
   * Gives back what a gateway did not need; the rest stays held for what it has used and not
   * reported yet, until the lease ends. Only the first return of a lease counts: a repeat gives
   * nothing back once more.
   * @throws HttpError not_found
   */
  async giveBack(caller: Caller, id: string, unused: Usd): Promise<void> {
    const now = this.clock.now();
    const given = await inTransaction(
      this.dataSource,
      async (manager) => {
        const [lease] = await this.reservations.lockOf(manager, id, this.gateways.idsOf(caller, 'ai'));
        if (lease?.kind !== 'lease') throw new HttpError('not_found', 'there is no such lease');
        if (lease.returned_at !== undefined || lease.released_at !== undefined) return 0n;
        const given = unused < lease.held ? unused : lease.held;
        await this.reservations.giveBack(manager, id, lease.held - given, now);
        const changes = cellChangesOf(lease, -given);
        if (changes.length > 0) await this.cells.applyChanges(manager, changes);
        return given;
      },
      { retries: RETRIES },
    );
    this.metrics.gaveBack('lease', given);
  }

  /**
   * Lets a running request keep its reservation.
   * @throws HttpError not_found for one that was settled or is over
   */
  async extend(caller: Caller, id: string, seconds: number): Promise<ExtendedReservation> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + seconds * 1_000);
    const expires = await inTransaction(this.dataSource, (manager) =>
      this.reservations.extend(manager, id, this.gateways.idsOf(caller, 'ai'), until, now),
    );
    if (expires === undefined) throw new HttpError('not_found', 'there is no such reservation, or it is over');
    return { reservation_id: id, expires_at: expires.toISOString() };
  }
}
