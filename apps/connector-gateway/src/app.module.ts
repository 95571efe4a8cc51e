import { type DynamicModule, Global, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from './config.ts';
import { ConnectorsModule } from './connectors/connectors.module.ts';
import { DatabaseModule } from './database/database.module.ts';
import type { OpenDatabase } from './database/open-database.ts';

@Global()
@Module({})
class SettingsModule {
  static of(settings: Settings | undefined): DynamicModule {
    return { module: SettingsModule, providers: [{ provide: SETTINGS, useValue: settings }], exports: [SETTINGS] };
  }
}

/** The connector gateway: the MCP endpoint, and the control plane beside it. */
@Module({ imports: [ConnectorsModule] })
export class AppModule {
  /** The module that runs. @param database is closed when the application shuts down */
  static with(settings: Settings, database: OpenDatabase): DynamicModule {
    return { module: AppModule, imports: [SettingsModule.of(settings), DatabaseModule.of(database)] };
  }

  /** The module that is only described: it is wired, but none of its classes is made. */
  static described(): DynamicModule {
    return { module: AppModule, imports: [SettingsModule.of(undefined), DatabaseModule.of(undefined)] };
  }
}
