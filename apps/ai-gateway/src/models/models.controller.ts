import { Controller, Get, Inject } from '@nestjs/common';
import { Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { ModelList } from './models.dto.ts';

/** Injection token of the list of models. */
export const MODELS = Symbol('models');

/** The models of this gateway. */
@Controller('v1/models')
export class ModelsController {
  readonly #models: ModelList;

  constructor(@Inject(MODELS) models: ModelList) {
    this.#models = models;
  }

  @Get()
  @Requires('any')
  @Operation({ summary: 'List models', success: { status: 200, schema: ModelList }, errors: [401] })
  list(): ModelList {
    return this.#models;
  }
}
