import { Module } from '@nestjs/common';
import { ClientConfigModule } from '../document/client-config.module.ts';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.ts';
import { UsersModule } from '../../people/users/users.module.ts';
import { ConfigEnvelopeController } from './config-envelope.controller.ts';
import { ConfigEnvelopeService } from './config-envelope.service.ts';
import { ConfigIssuesRepository } from './config-issues.repository.ts';
import { MergedConfigs } from './merged-configs.ts';
import { LastKnownConfigs } from './last-known-configs.ts';

/** The configuration envelopes that clients fetch. */
@Module({
  imports: [ClientConfigModule, SigningKeysModule, UsersModule],
  controllers: [ConfigEnvelopeController],
  providers: [ConfigEnvelopeService, ConfigIssuesRepository, MergedConfigs, LastKnownConfigs],
})
export class ConfigEnvelopeModule {}
