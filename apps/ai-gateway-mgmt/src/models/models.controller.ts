import { ModelList } from '@gatehouse/ai-policies/model';
import { listModels } from '@gatehouse/ai-policies/model-list';
import { Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Query } from '@nestjs/common';
import { KnownResources } from '../resources/known-resources.ts';
import { ModelListQuery } from './models.dto.ts';

/** The models of the routes of a gateway. */
@Controller('v1/models')
export class ModelsController {
  constructor(private readonly known: KnownResources) {}

  @Get()
  @Requires('authenticated')
  @Operation({
    summary: 'List all models visible to the gateway in the current namespace',
    description: 'The models with a route of their own. The default route is not listed.',
    success: { status: 200, schema: ModelList },
    errors: [400, 403, 404, 429, 503],
  })
  list(@Query({ schema: ModelListQuery }) { gatewayRef }: ModelListQuery): ModelList {
    return listModels(this.known.requireGateway(gatewayRef));
  }
}
