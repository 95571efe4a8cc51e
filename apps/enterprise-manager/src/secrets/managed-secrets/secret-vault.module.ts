import { Module } from '@nestjs/common';
import { ManagedSecretsRepository } from './managed-secrets.repository.ts';
import { SecretVault } from './secret-vault.ts';

/** Provides the values of managed secrets inside the service. */
@Module({
  providers: [ManagedSecretsRepository, SecretVault],
  exports: [ManagedSecretsRepository, SecretVault],
})
export class SecretVaultModule {}
