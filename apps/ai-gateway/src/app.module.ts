import { type DynamicModule, Module } from '@nestjs/common';
import { MODELS } from './models/models.controller.ts';
import type { ModelList } from './models/models.dto.ts';
import { ModelsModule } from './models/models.module.ts';

/** The modules of the service, one for each noun. */
@Module({ imports: [ModelsModule] })
export class AppModule {
  /**
   * @param models creates the list of models; not called for the OpenAPI document
   * @param people the module that follows the activity of users
   */
  static with(models: () => ModelList, people: readonly DynamicModule[] = []): DynamicModule {
    return {
      module: AppModule,
      global: true,
      imports: [...people],
      providers: [{ provide: MODELS, useFactory: models }],
      exports: [MODELS],
    };
  }
}
