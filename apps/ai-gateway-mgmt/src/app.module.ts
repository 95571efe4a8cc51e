import { SharedValueModule } from '@gatehouse/service-kit/shared-value.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from './config/config.ts';
import { GatewayModule } from './gateway/gateway.module.ts';
import { McpServersModule } from './mcp-servers/mcp-servers.module.ts';
import { MeModule } from './me/me.module.ts';
import { ModelsModule } from './models/models.module.ts';
import { PoliciesModule } from './policies/policies.module.ts';
import { type OpenResources, ResourcesModule } from './resources/resources.module.ts';

/** The values that the modules of a running service share. */
export interface AppParts {
  readonly settings: Settings;
  readonly resources: OpenResources;
  /** The module that follows the activity of users. */
  readonly people: DynamicModule;
}

/** The modules of the service, one for each noun. */
@Module({ imports: [GatewayModule, McpServersModule, MeModule, ModelsModule, PoliciesModule] })
export class AppModule {
  /** Creates the module of a running service. */
  static createForService({ settings, resources, people }: AppParts): DynamicModule {
    const imports = [SharedValueModule.of(SETTINGS, settings), ResourcesModule.of(resources), people];
    return { module: AppModule, imports };
  }

  /** Creates the module for the OpenAPI document: Nest resolves it without creating instances. */
  static createForDocument(): DynamicModule {
    const imports = [SharedValueModule.of(SETTINGS, undefined), ResourcesModule.createForDocument()];
    return { module: AppModule, imports };
  }
}
