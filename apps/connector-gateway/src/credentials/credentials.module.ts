import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { AuthorizationServerModule } from '../authorization-server/authorization-server.module.ts';
import { PersonalCredentials } from '../mcp/ports/personal-credentials.ts';
import { ExchangeEndpoints } from './exchange-endpoints.ts';
import { ExchangeOutcomes } from './exchange-outcomes.ts';
import { ExchangeRefusalsRepository } from './exchange-refusals.repository.ts';
import { VaultModule } from '../vault/vault.module.ts';
import { GatewayCredentials } from './gateway-credentials.ts';
import { SubjectTokens } from './subject-tokens.ts';

/** The credentials of persons at the connectors. */
@Module({
  imports: [AuditModule, AuthorizationServerModule, VaultModule],
  providers: [
    ExchangeEndpoints,
    ExchangeOutcomes,
    ExchangeRefusalsRepository,
    SubjectTokens,
    { provide: PersonalCredentials, useClass: GatewayCredentials },
  ],
  exports: [ExchangeRefusalsRepository, PersonalCredentials, SubjectTokens],
})
export class CredentialsModule {}
