import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { SecretReferencesModule } from '../../secrets/references/secret-references.module.ts';
import { ProviderCheckRetries } from './provider-check-retries.ts';
import { IdentityProviderStoreModule } from './identity-provider-store.module.ts';
import { IdentityProvidersController } from './identity-providers.controller.ts';
import { IdentityProvidersService } from './identity-providers.service.ts';

/** The identity providers of connectors. */
@Module({
  imports: [AuditModule, IdentityProviderStoreModule, SecretReferencesModule],
  controllers: [IdentityProvidersController],
  providers: [IdentityProvidersService, ProviderCheckRetries],
})
export class IdentityProvidersModule {}
