import { type DynamicModule, Module } from '@nestjs/common';
import { MODELS } from './models/models.controller.ts';
import type { ModelList } from './models/models.dto.ts';
import { ModelsModule } from './models/models.module.ts';

/** The whole service, one noun a line. */
@Module({ imports: [ModelsModule] })
export class AppModule {
  /**
   * @param models called when the service is created; not for its OpenAPI document
   * @param people follows who is active
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
