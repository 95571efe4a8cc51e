import { Module } from '@nestjs/common';
import { ManagedSecretsRepository } from './managed-secrets.repository.ts';
import { SecretVault } from './secret-vault.ts';

/** The values of managed secrets, for what sends them. */
@Module({ providers: [ManagedSecretsRepository, SecretVault], exports: [ManagedSecretsRepository, SecretVault] })
export class SecretVaultModule {}
