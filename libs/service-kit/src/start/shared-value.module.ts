import { type DynamicModule, Global, type InjectionToken, Module } from '@nestjs/common';

/** Provides one value, such as the settings, to all modules of a service. */
@Global()
@Module({})
export class SharedValueModule {
  /** @param useValue undefined for the generation of the OpenAPI document */
  static of(provide: InjectionToken, useValue: unknown): DynamicModule {
    return { module: SharedValueModule, providers: [{ provide, useValue }], exports: [provide] };
  }
}
