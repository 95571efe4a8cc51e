import { Module } from '@nestjs/common';
import { PersonalCredentials } from '../mcp/ports/personal-credentials.ts';
import { GatewayCredentials } from './gateway-credentials.ts';

/** The credentials of persons at the connectors. */
@Module({
  providers: [{ provide: PersonalCredentials, useClass: GatewayCredentials }],
  exports: [PersonalCredentials],
})
export class CredentialsModule {}
