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

/** What gateways ask before a request runs, over HTTP. */
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
    description: 'Whether requests can be admitted now: 503 while the database cannot be reached.',
    success: { status: 200, schema: Pong },
    errors: [],
    tag: 'gateway calls',
  })
  ping(@Body({ schema: Ping }) _nothing: object): Promise<Pong> {
    return this.admission.ping();
  }

  @Post('webhooks/budgets/admission')
  @RequiresGateway({ kinds: ['ai'] })
  @Operation({
    summary: 'Admit a request',
    description:
      'Whether a request may run, by its principal, its price and the budgets of its payers: the person, then the groups that hold the person; the first who can pay all of what the request can cost at most has it reserved in all periods. Both decisions are answered 200. A repeat of (interaction_id, attempt) is told the first decision while its reservation lives; with other content, also another estimate, after its usage was reported, and after the reservation expired it is 409. What is denied leaves nothing behind and may be asked again. Where no budget exists for the principal the request is admitted without a limit, unless the deployment requires one.',
    success: { status: 200, schema: AdmissionAnswer },
    errors: [404, 409],
    examples: { answer: ADMISSION_EXAMPLE, failures: { 404: 'there is no such gateway' } },
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
      'Lets the reservation of a long request live until some seconds from now; it never becomes shorter. 404 when it was settled or has expired. Leases are not extended: a new one is asked for.',
    success: { status: 200, schema: ExtendedReservation },
    errors: [404],
    tag: 'gateway calls',
  })
  extend(
    @CurrentCaller() caller: Caller,
    @Param({ schema: ReservationPath }) { reservation_id }: ReservationPath,
    @Body({ schema: ReservationExtend }) { seconds }: ReservationExtend,
  ): Promise<ExtendedReservation> {
    return this.leases.extend(caller, reservation_id, seconds);
  }

  @Post('gateway/v1/budget-leases')
  @RequiresGateway({ kinds: ['ai'] })
  @Operation({
    summary: 'Lease a slice of a budget',
    description:
      'Reserves an amount from which a gateway admits requests of the principal by itself: as much as is wanted, or what the first payer with anything left has left. A lease holds its payer for all that draws from it. Sum of leases, reservations and use never passes a limit. The gateway makes `lease_id`: a repeat with the same content answers the same lease while it lives; with other content, and after the lease was returned or is over, it is 409. Nothing granted leaves nothing behind and may be asked again. What is not returned ends with its time, and at the latest with the first window (UTC) that limits its payer: `expires_at` says when.',
    success: { status: 200, schema: LeaseAnswer },
    errors: [404, 409],
    examples: { answer: LEASE_EXAMPLE, failures: { 404: 'there is no such gateway' } },
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
      'Gives back what no request will use, at most what the lease still holds. The rest stays reserved for usage that is under way, until the lease ends. A repeat changes nothing.',
    success: { status: 204 },
    errors: [404],
    tag: 'gateway calls',
  })
  giveBack(
    @CurrentCaller() caller: Caller,
    @Param({ schema: LeasePath }) { lease_id }: LeasePath,
    @Body({ schema: LeaseReturn }) { unused_usd }: LeaseReturn,
  ): Promise<void> {
    return this.leases.giveBack(caller, lease_id, unused_usd);
  }
}
