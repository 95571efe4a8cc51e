import { type DynamicModule, Global, type InjectionToken, Module } from '@nestjs/common';

/** Gives every module of a service one value by its token, such as the settings. */
@Global()
@Module({})
export class SharedValueModule {
  /** @param useValue undefined where the service is only described */
  static of(provide: InjectionToken, useValue: unknown): DynamicModule {
    return { module: SharedValueModule, providers: [{ provide, useValue }], exports: [provide] };
  }
}
