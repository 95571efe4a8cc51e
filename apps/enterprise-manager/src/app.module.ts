import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AuditModule } from './audit/audit.module.ts';
import { SETTINGS, type Settings } from './config.ts';
import { DatabaseModule } from './database/database.module.ts';
import type { OpenDatabase } from './database/open-database.ts';
import { DiscoveryDocumentsModule } from './discovery-documents/discovery-documents.module.ts';
import { GroupsModule } from './groups/groups.module.ts';
import { MeModule } from './me/me.module.ts';
import { UsersModule } from './users/users.module.ts';

@Global()
@Module({})
class SettingsModule {
  static of(settings: Settings): DynamicModule {
    return { module: SettingsModule, providers: [{ provide: SETTINGS, useValue: settings }], exports: [SETTINGS] };
  }
}

/** The enterprise manager: who is who, who may use what, and what was done. By itself it describes the API; `with` makes it run. */
@Module({
  imports: [UsersModule, GroupsModule, MeModule, AuditModule, DiscoveryDocumentsModule],
})
export class AppModule {
  /** @param database is closed when the application shuts down */
  static with(settings: Settings, database: OpenDatabase): DynamicModule {
    return { module: AppModule, imports: [SettingsModule.of(settings), DatabaseModule.of(database)] };
  }
}
