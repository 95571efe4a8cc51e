import { ModelList } from '@gatehouse/ai-policies/model';
import { listModels } from '@gatehouse/ai-policies/model-list';
import { LiveGateway } from '@gatehouse/live-gateway/live-gateway';
import { Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get } from '@nestjs/common';

/** The models of this gateway. */
@Controller('v1/models')
export class ModelsController {
  constructor(private readonly gateway: LiveGateway) {}

  @Get()
  @Requires('any')
  @Operation({ summary: 'List models', success: { status: 200, schema: ModelList }, errors: [401, 503] })
  list(): ModelList {
    return listModels(this.gateway.require());
  }
}
