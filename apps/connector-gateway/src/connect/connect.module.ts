import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { BrowserModule } from '../browser/browser.module.ts';
import { ConnectorsModule } from '../connectors/connectors.module.ts';
import { VaultModule } from '../vault/vault.module.ts';
import { ClientMetadataRoutes } from './client-metadata-routes.ts';
import { ConnectAudit } from './connect-audit.ts';
import { ConnectCallback } from './connect-callback.ts';
import { ConnectConsent } from './connect-consent.ts';
import { ConnectController } from './connect.controller.ts';
import { ConnectFlowsRepository } from './connect-flows.repository.ts';
import { ConnectRoutes } from './connect-routes.ts';
import { ConnectService } from './connect.service.ts';

/** The sign-in of users at the providers of connectors. */
@Module({
  imports: [AuditModule, BrowserModule, ConnectorsModule, VaultModule],
  controllers: [ConnectController],
  providers: [
    ClientMetadataRoutes,
    ConnectAudit,
    ConnectCallback,
    ConnectConsent,
    ConnectFlowsRepository,
    ConnectRoutes,
    ConnectService,
  ],
})
export class ConnectModule {}
