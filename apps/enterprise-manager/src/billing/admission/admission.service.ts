import { writeUsd } from '@gatehouse/money/usd';
import { pingDatabase } from '@gatehouse/database/ready';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Gateways } from '../../gateways/settings/gateways.ts';
import type { AdmissionAnswer, AdmissionRequest, Pong } from './admission.dto.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { Admissions } from './admissions.ts';
import { type GrantedReservation, deriveReservationId } from './reservation.ts';

/** For the end caller, whatever the reason is. */
const DENIED = 'this request cannot be served now; ask the administrators of your organisation';

/** Whether requests may run. */
@Injectable()
export class AdmissionService {
  constructor(
    private readonly admissions: Admissions,
    private readonly gateways: Gateways,
    private readonly metrics: AdmissionMetrics,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Decides a request. A repeat is told the first decision while its reservation lives. */
  async admit(caller: Caller, request: AdmissionRequest): Promise<AdmissionAnswer> {
    this.gateways.requireOwn(caller, request.gateway_id, { kinds: ['ai'] });
    const { interaction_id, attempt, gateway_id } = request;
    const id = deriveReservationId(interaction_id, attempt);
    const outcome = await this.admissions.ask({ kind: 'request', id, request });
    if ('denial' in outcome) {
      const { denial, decidedAt } = outcome;
      this.metrics.denied('request', denial);
      this.log.info({ reason: denial, interaction_id, attempt, gateway_id }, 'a request was not admitted');
      return { decision: 'denied', reason: denial, message: DENIED, admitted_at: decidedAt.toISOString() };
    }
    this.metrics.admitted(outcome.reservation, outcome.repeated);
    return answerOf(outcome.reservation);
  }

  /** @throws what the database is away with: nothing could be decided then */
  async ping(): Promise<Pong> {
    await pingDatabase(this.dataSource);
    return { status: 'ok', time: this.clock.now().toISOString() };
  }
}

const answerOf = ({
  id,
  payer,
  held,
  admitted_at,
  expires_at,
  pricing_catalog_id,
}: GrantedReservation): AdmissionAnswer => ({
  decision: 'admitted',
  reservation_id: id,
  admitted_at: admitted_at.toISOString(),
  expires_at: expires_at.toISOString(),
  ...(payer && { payer: { scope: payer.scope, subject_id: payer.subject_id } }),
  reserved_usd: writeUsd(held),
  pricing_catalog_id,
});
