import { type DynamicModule, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from './config/config.ts';
import { GatewayModule } from './gateway/gateway.module.ts';

/** The modules of the service, one for each noun. */
@Module({ imports: [GatewayModule] })
export class AppModule {
  /**
   * @param settings returns the settings; not called for the OpenAPI document
   * @param people the module that follows the activity of users
   */
  static with(settings: () => Settings, people: readonly DynamicModule[] = []): DynamicModule {
    const provider = { provide: SETTINGS, useFactory: settings };
    return { module: AppModule, global: true, imports: [...people], providers: [provider], exports: [SETTINGS] };
  }
}
