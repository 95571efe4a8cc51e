import { Module } from '@nestjs/common';
import { ManagedSecretsRepository } from './managed-secrets.repository.ts';
import { SecretVault } from './secret-vault.ts';
import { UsedSecrets } from './used-secrets.ts';

/** The values of managed secrets, for what sends them. */
@Module({
  providers: [ManagedSecretsRepository, SecretVault, UsedSecrets],
  exports: [ManagedSecretsRepository, SecretVault, UsedSecrets],
})
export class SecretVaultModule {}
