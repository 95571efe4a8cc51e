import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { GatewaysModule } from '../../gateways/settings/gateways.module.ts';
import { ManagedSecretsController } from './managed-secrets.controller.ts';
import { ManagedSecretsService } from './managed-secrets.service.ts';
import { RevealController } from './reveal.controller.ts';
import { RevealService } from './reveal.service.ts';
import { SecretVaultModule } from './secret-vault.module.ts';

/** Managed secrets: administration, and reveal for gateways. */
@Module({
  imports: [AuditModule, GatewaysModule, SecretVaultModule],
  controllers: [ManagedSecretsController, RevealController],
  providers: [ManagedSecretsService, RevealService],
})
export class ManagedSecretsModule {}
