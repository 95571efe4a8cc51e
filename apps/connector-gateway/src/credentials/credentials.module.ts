import { Module } from '@nestjs/common';
import { PersonalCredentials } from '../mcp/ports/personal-credentials.ts';
import { VaultModule } from '../vault/vault.module.ts';
import { GatewayCredentials } from './gateway-credentials.ts';

/** The credentials of persons at the connectors. */
@Module({
  imports: [VaultModule],
  providers: [{ provide: PersonalCredentials, useClass: GatewayCredentials }],
  exports: [PersonalCredentials],
})
export class CredentialsModule {}
