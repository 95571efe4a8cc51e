import { SharedValueModule } from '@gatehouse/service-kit/shared-value.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from './config.ts';
import { GatewayModule, type OpenGateway } from './gateway/gateway.module.ts';

/** The modules of the service, one for each noun. */
@Module({})
export class AppModule {
  /**
   * Creates the module of a running service.
   * @param others the modules that need settings
   */
  static createForService(settings: Settings, gateway: OpenGateway, others: readonly DynamicModule[]): DynamicModule {
    const imports = [SharedValueModule.of(SETTINGS, settings), GatewayModule.of(gateway), ...others];
    return { module: AppModule, imports };
  }

  /** Creates the module for the OpenAPI document, which has the operations beside model calls. */
  static createForDocument(): DynamicModule {
    return { module: AppModule };
  }
}
