import { Module } from '@nestjs/common';
import { SecretVaultModule } from '../managed-secrets/secret-vault.module.ts';
import { UsedSecrets } from './used-secrets.ts';

/** Provides the references of connectors and identity providers to secrets, and the SecretVault. */
@Module({
  imports: [SecretVaultModule],
  providers: [UsedSecrets],
  exports: [SecretVaultModule, UsedSecrets],
})
export class SecretReferencesModule {}
