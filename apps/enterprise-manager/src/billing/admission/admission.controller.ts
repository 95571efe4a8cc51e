import { type Caller, CurrentCaller } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { RequiresGateway } from '../../gateways/settings/requires-gateway.ts';
import { AdmissionAnswer, AdmissionRequest, Ping, Pong } from './admission.dto.ts';
import { ADMISSION_EXAMPLE, LEASE_EXAMPLE } from './admission.examples.ts';
import { AdmissionService } from './admission.service.ts';
import {
  ExtendedReservation,
  LeaseAnswer,
  LeasePath,
  LeaseRequest,
  LeaseReturn,
  ReservationExtend,
  ReservationPath,
} from './leases.dto.ts';
import { LeasesService } from './leases.service.ts';

/** The operations by which AI gateways admit requests and lease budgets. */
@Controller()
export class AdmissionController {
  constructor(
    private readonly admission: AdmissionService,
    private readonly leases: LeasesService,
  ) {}

  @Post('webhooks/ping')
  @RequiresGateway({ kinds: ['ai'] })
  @Operation({
    summary: 'Ping the budget webhooks',
    description: 'Returns whether requests can be admitted now: 503 while the database is unavailable.',
    success: { status: 200, schema: Pong },
    errors: [],
    tag: 'gateway calls',
  })
  ping(@Body({ schema: Ping }) _body: object): Promise<Pong> {
    return this.admission.ping();
  }

  @Post('webhooks/budgets/admission')
  @RequiresGateway({ kinds: ['ai'] })
  @Operation({
    summary: 'Admit a request',
    description:
      'Decides whether a request may run, by its principal, its price and the budgets of its payers. Payers are the user first, and then the groups of the user in the order of precedence. The first payer that can pay the maximum cost of the request pays it, and the amount is reserved in all its periods. Both decisions are 200. A repeated request with the same (interaction_id, attempt) gets the first decision while its reservation lasts. It is 409 with other content (also another estimate), after its usage was reported, and after the reservation expired. A denied request reserves nothing and can be repeated. A request without any applicable budget is admitted without a limit, unless the deployment requires a budget.',
    success: { status: 200, schema: AdmissionAnswer },
    errors: [404, 409],
    examples: { response: ADMISSION_EXAMPLE, failures: { 404: 'there is no such gateway' } },
    tag: 'gateway calls',
  })
  admit(
    @CurrentCaller() caller: Caller,
    @Body({ schema: AdmissionRequest }) request: AdmissionRequest,
  ): Promise<AdmissionAnswer> {
    return this.admission.admit(caller, request);
  }

  @Post('gateway/v1/reservations/:reservation_id/extend')
  @RequiresGateway({ kinds: ['ai'] })
  @Operation({
    summary: 'Extend a reservation',
    description:
      'Extends the reservation of a long request to a number of seconds from now; its end never becomes earlier. It is 404 when the reservation was settled or has expired. Leases cannot be extended; request a new lease instead.',
    success: { status: 200, schema: ExtendedReservation },
    errors: [404],
    tag: 'gateway calls',
  })
  extend(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ReservationPath }) { reservation_id }: ReservationPath,
    @Body({ schema: ReservationExtend }) { seconds }: ReservationExtend,
  ): Promise<ExtendedReservation> {
    return this.leases.extendReservation(caller, reservation_id, seconds);
  }

  @Post('gateway/v1/budget-leases')
  @RequiresGateway({ kinds: ['ai'] })
  @Operation({
    summary: 'Lease a slice of a budget',
    description:
      'Reserves an amount from which a gateway admits requests of the principal by itself. The granted amount is the requested one, or the remaining amount of the first payer that has one, or its part by `share_percent`. The payer of a lease pays for all its usage. The sum of leases, reservations and usage never exceeds a limit. The gateway generates `lease_id`. A repeated request with the same content returns the same lease while it lasts; it is 409 with other content, and after the lease was returned or has expired. A denied lease reserves nothing and can be requested again. A lease ends after `ttl_seconds`, and at the latest with the first budget window (UTC) of its payer; see `expires_at`.',
    success: { status: 200, schema: LeaseAnswer },
    errors: [404, 409],
    examples: { response: LEASE_EXAMPLE, failures: { 404: 'there is no such gateway' } },
    tag: 'gateway calls',
  })
  lease(@CurrentCaller() caller: Caller, @Body({ schema: LeaseRequest }) request: LeaseRequest): Promise<LeaseAnswer> {
    return this.leases.grant(caller, request);
  }

  @Delete('gateway/v1/budget-leases/:lease_id')
  @RequiresGateway({ kinds: ['ai'] })
  @Operation({
    summary: 'Return a lease',
    description:
      'Returns the unused amount of a lease, at most the amount that it still holds. The rest stays reserved until the lease ends, for usage that is not reported yet. A repeated return changes nothing.',
    success: { status: 204 },
    errors: [404],
    tag: 'gateway calls',
  })
  returnLease(
    @CurrentCaller() caller: Caller,
    @Param({ schema: LeasePath }) { lease_id }: LeasePath,
    @Body({ schema: LeaseReturn }) { unused_usd }: LeaseReturn,
  ): Promise<void> {
    return this.leases.returnLease(caller, lease_id, unused_usd);
  }
}
