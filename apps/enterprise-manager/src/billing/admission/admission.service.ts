import { writeUsd } from '@gatehouse/money/usd';
import { pingDatabase } from '@gatehouse/database/ready';
import type { Caller } from '@gatehouse/service-kit/access';
import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Gateways } from '../../gateways/settings/gateways.ts';
import type { AdmissionAnswer, AdmissionRequest, Pong } from './admission.dto.ts';
import { AdmissionDecider } from './admission-decider.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { type GrantedReservation, deriveReservationId } from './reservation.ts';

/** The message for the client of a gateway. It must not reveal the reason of the denial. */
const DENIED_MESSAGE = 'this request cannot be served now; ask the administrators of your organisation';

/** Decides model requests. */
@Injectable()
export class AdmissionService {
  constructor(
    private readonly decider: AdmissionDecider,
    private readonly gateways: Gateways,
    private readonly metrics: AdmissionMetrics,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Decides a request. A repeated request gets the first decision while its reservation lasts.
   * @throws HttpError forbidden for a gateway of another caller, not_found, conflict, unavailable
   */
  async admit(caller: Caller, request: AdmissionRequest): Promise<AdmissionAnswer> {
    this.gateways.requireOwn(caller, request.gateway_id, { kinds: ['ai'] });
    const { interaction_id, attempt, gateway_id } = request;
    const id = deriveReservationId(interaction_id, attempt);
    const outcome = await this.decider.decide({ kind: 'request', id, body: request });
    if ('denial' in outcome) {
      const { denial, decidedAt } = outcome;
      this.metrics.recordDenial('request', denial);
      this.log.info({ reason: denial, interaction_id, attempt, gateway_id }, 'a request was denied');
      return { decision: 'denied', reason: denial, message: DENIED_MESSAGE, admitted_at: decidedAt.toISOString() };
    }
    this.metrics.recordAdmission(outcome.reservation, outcome.repeated);
    return toAdmissionResponse(outcome.reservation);
  }

  /** Checks that the database is available. @throws the error of the database */
  async ping(): Promise<Pong> {
    await pingDatabase(this.dataSource);
    return { status: 'ok', time: this.clock.now().toISOString() };
  }
}

const toAdmissionResponse = ({
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
