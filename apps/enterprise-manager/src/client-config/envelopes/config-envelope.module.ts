import { Module } from '@nestjs/common';
import { ClientConfigModule } from '../document/client-config.module.ts';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.ts';
import { UsersModule } from '../../people/users/users.module.ts';
import { ConfigEnvelopeController } from './config-envelope.controller.ts';
import { ConfigEnvelopeService } from './config-envelope.service.ts';
import { ConfigIssuesRepository } from './config-issues.repository.ts';
import { ConfigViews } from './config-views.ts';
import { LastKnownConfigs } from './last-known-configs.ts';

/** The signed configuration of clients. */
@Module({
  imports: [ClientConfigModule, SigningKeysModule, UsersModule],
  controllers: [ConfigEnvelopeController],
  providers: [ConfigEnvelopeService, ConfigIssuesRepository, ConfigViews, LastKnownConfigs],
})
export class ConfigEnvelopeModule {}
