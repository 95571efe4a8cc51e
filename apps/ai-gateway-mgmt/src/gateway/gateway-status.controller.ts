import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get } from '@nestjs/common';
import { KnownResources } from '../resources/known-resources.ts';
import { type GatewayIdentity, GatewayStatus } from './gateway.dto.ts';

/** The status of a gateway; a new gateway has no conditions yet. */
type StatusAnswer = GatewayIdentity & Pick<AIGateway['metadata'], 'generation'> & AIGateway['status'];

/** The status of the owning gateway. The operation is not in the wire contract. */
@Controller('v1/gateway-status')
export class GatewayStatusController {
  constructor(private readonly known: KnownResources) {}

  @Get()
  @Requires('policyEditor', 'admin')
  @Operation({
    summary: "Return the owning gateway's status",
    description:
      'The condition `Accepted` says whether services can use the AIGateway, and `ResolvedRefs` whether each backend names one of its providers. The status is of the present AIGateway when `observedGeneration` equals `generation`.',
    success: { status: 200, schema: GatewayStatus },
    errors: [429, 503],
  })
  status(): StatusAnswer {
    const { metadata, status = {} } = this.known.requireGateway();
    const { name, namespace, generation } = metadata;
    return { name, namespace, generation, ...status };
  }
}
