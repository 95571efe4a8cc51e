import { type DynamicModule, Global, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from './config.ts';
import { ConnectorsModule } from './connectors/connectors.module.ts';
import { DatabaseModule } from './database/database.module.ts';
import type { OpenDatabase } from './database/open-database.ts';

@Global()
@Module({})
class SettingsModule {
  static of(settings: Settings): DynamicModule {
    return { module: SettingsModule, providers: [{ provide: SETTINGS, useValue: settings }], exports: [SETTINGS] };
  }
}

/** The connector gateway: the MCP endpoint, and the control plane beside it. By itself it describes the API; `with` makes it run. */
@Module({ imports: [ConnectorsModule] })
export class AppModule {
  /** @param database is closed when the application shuts down */
  static with(settings: Settings, database: OpenDatabase): DynamicModule {
    return { module: AppModule, imports: [SettingsModule.of(settings), DatabaseModule.of(database)] };
  }
}
