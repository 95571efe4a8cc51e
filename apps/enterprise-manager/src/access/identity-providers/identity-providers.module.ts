import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { SecretReferencesModule } from '../../secrets/references/secret-references.module.ts';
import { DiscoveryChecks } from './discovery-checks.ts';
import { IdentityProviderStoreModule } from './identity-provider-store.module.ts';
import { IdentityProvidersController } from './identity-providers.controller.ts';
import { IdentityProvidersService } from './identity-providers.service.ts';

/** Where connectors get the credentials of people. */
@Module({
  imports: [AuditModule, IdentityProviderStoreModule, SecretReferencesModule],
  controllers: [IdentityProvidersController],
  providers: [IdentityProvidersService, DiscoveryChecks],
})
export class IdentityProvidersModule {}
