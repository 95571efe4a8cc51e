import { type DynamicModule, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from './config/config.ts';
import { GatewayModule } from './gateway/gateway.module.ts';

/** The whole service, one noun a line. */
@Module({ imports: [GatewayModule] })
export class AppModule {
  /**
   * @param settings called when the service is created; not for its OpenAPI document
   * @param people follows who is active
   */
  static with(settings: () => Settings, people: readonly DynamicModule[] = []): DynamicModule {
    const provider = { provide: SETTINGS, useFactory: settings };
    return { module: AppModule, global: true, imports: [...people], providers: [provider], exports: [SETTINGS] };
  }
}
