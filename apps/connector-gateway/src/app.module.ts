import { type OpenResource, ResourceModule } from '@gatehouse/service-kit/resource.module';
import { SharedValueModule } from '@gatehouse/service-kit/shared-value.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditModule } from './audit/audit.module.ts';
import { SETTINGS, type Settings } from './config/config.ts';
import { BrowserModule } from './browser/browser.module.ts';
import { ConnectLinksModule } from './connect/connect-links.module.ts';
import { ConnectModule } from './connect/connect.module.ts';
import { ConnectorsModule } from './connectors/connectors.module.ts';
import { KeyEncryptionModule } from './key-encryption/key-encryption.module.ts';
import { ModeModule } from './modes/mode.module.ts';
import { PublicListenerModule } from './public-listener/public-listener.module.ts';
import { UpstreamProvidersModule } from './providers/upstream-providers.module.ts';
import { SessionAdministrationModule } from './session-administration/session-administration.module.ts';
import { ToolChangesModule } from './tool-changes/tool-changes.module.ts';
import { VaultModule } from './vault/vault.module.ts';

/** The connector gateway: the MCP endpoint, and the control plane beside it. */
@Module({
  imports: [
    KeyEncryptionModule,
    VaultModule,
    PublicListenerModule,
    BrowserModule,
    UpstreamProvidersModule,
    ConnectLinksModule,
    ConnectModule,
    ConnectorsModule,
    SessionAdministrationModule,
    ToolChangesModule,
    AuditModule,
  ],
})
export class AppModule {
  /**
   * The module of the running application.
   * @param database is closed when the application shuts down
   */
  static with(settings: Settings, database: OpenResource<DataSource>): DynamicModule {
    return AppModule.create(settings, database);
  }

  /** The module for the OpenAPI document; none of its classes is instantiated. */
  static described(): DynamicModule {
    return AppModule.create(undefined, undefined);
  }

  private static create(settings: Settings | undefined, database: OpenResource<DataSource> | undefined): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SharedValueModule.of(SETTINGS, settings),
        ResourceModule.of(DataSource, database),
        ModeModule.of(settings?.MODE),
      ],
    };
  }
}
