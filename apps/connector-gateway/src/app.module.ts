import { type OpenResource, ResourceModule } from '@gatehouse/service-kit/resource.module';
import { SharedValueModule } from '@gatehouse/service-kit/shared-value.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from './config/config.ts';
import { ConnectorsModule } from './connectors/connectors.module.ts';

/** The connector gateway: the MCP endpoint, and the control plane beside it. */
@Module({ imports: [ConnectorsModule] })
export class AppModule {
  /** The module that runs. @param database is closed when the application shuts down */
  static with(settings: Settings, database: OpenResource<DataSource>): DynamicModule {
    return AppModule.given(settings, database);
  }

  /** The module that is only described: it is wired, but none of its classes is made. */
  static described(): DynamicModule {
    return AppModule.given(undefined, undefined);
  }

  private static given(settings: Settings | undefined, database: OpenResource<DataSource> | undefined): DynamicModule {
    return {
      module: AppModule,
      imports: [SharedValueModule.of(SETTINGS, settings), ResourceModule.of(DataSource, database)],
    };
  }
}
