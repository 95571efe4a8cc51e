import { type DynamicModule, Module } from '@nestjs/common';
import { GatewayModule, type OpenGateway } from './gateway/gateway.module.ts';
import { ModelsModule } from './models/models.module.ts';
import { TelemetryModule } from './telemetry/telemetry.module.ts';

/** The modules of the service, one for each noun. */
@Module({ imports: [ModelsModule] })
export class AppModule {
  /**
   * Creates the module of a running service.
   * @param others the modules that need settings
   */
  static createForService(gateway: OpenGateway, others: readonly DynamicModule[]): DynamicModule {
    return { module: AppModule, imports: [GatewayModule.of(gateway), TelemetryModule, ...others] };
  }

  /** Creates the module for the OpenAPI document: Nest resolves it without creating instances. */
  static createForDocument(): DynamicModule {
    return { module: AppModule, imports: [GatewayModule.createForDocument()] };
  }
}
