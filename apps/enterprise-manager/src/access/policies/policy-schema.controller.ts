import { Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get } from '@nestjs/common';
import { PolicySchema } from './policies.dto.ts';
import { PolicySimulationsService } from './policy-simulations.service.ts';

/** The schema of policies. */
@Controller('v1/policy-schema')
export class PolicySchemaController {
  constructor(private readonly simulations: PolicySimulationsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get policy schema',
    description:
      'Principals are `User`s in `Group`s with an attribute `claim_<name>` for each mapped claim of their token. All claims are optional, so a policy must test `principal has claim_email` before it reads the claim. Tools, prompts and resources have the names of the upstream.',
    success: { status: 200, schema: PolicySchema },
    errors: [],
    tag: 'policies',
  })
  get(): PolicySchema {
    return this.simulations.getSchema();
  }
}
