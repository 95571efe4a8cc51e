import { Global, Module } from '@nestjs/common';
import { ClientRegistrationsRepository } from './client-registrations.repository.ts';
import { UpstreamProviders } from './upstream-providers.ts';

/** The authorization servers of connectors. */
@Global()
@Module({
  providers: [ClientRegistrationsRepository, UpstreamProviders],
  exports: [UpstreamProviders],
})
export class UpstreamProvidersModule {}
