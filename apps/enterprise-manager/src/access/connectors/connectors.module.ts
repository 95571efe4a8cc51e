import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { IdentityProviderStoreModule } from '../identity-providers/identity-provider-store.module.ts';
import { PolicyStoreModule } from './policy-store.module.ts';
import { SecretReferencesModule } from '../../secrets/references/secret-references.module.ts';
import { GatewaysModule } from '../../gateways/settings/gateways.module.ts';
import { ConnectorSecrets } from './connector-secrets.ts';
import { ConnectorsController } from './connectors.controller.ts';
import { ConnectorsRepository } from './connectors.repository.ts';
import { ConnectorsService } from './connectors.service.ts';

/** Connectors: the MCP servers that gateways offer. */
@Module({
  imports: [AuditModule, GatewaysModule, IdentityProviderStoreModule, PolicyStoreModule, SecretReferencesModule],
  controllers: [ConnectorsController],
  providers: [ConnectorsService, ConnectorSecrets, ConnectorsRepository],
  exports: [ConnectorsRepository, ConnectorsService],
})
export class ConnectorsModule {}
