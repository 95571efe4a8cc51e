import { Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get } from '@nestjs/common';
import { PolicySchema } from './policies.dto.ts';
import { PolicySimulationsService } from './policy-simulations.service.ts';

/** What policies can be written about, over HTTP. */
@Controller('v1/policy-schema')
export class PolicySchemaController {
  constructor(private readonly simulations: PolicySimulationsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get policy schema',
    description:
      'Principals are `User`s in `Group`s with a `claim_<name>` for each mapped claim of their token; every claim is optional, so a policy asks `principal has claim_email` before it reads one. Tools, prompts and resources have the names that the upstream gives them.',
    success: { status: 200, schema: PolicySchema },
    errors: [],
    tag: 'policies',
  })
  get(): PolicySchema {
    return this.simulations.schema();
  }
}
