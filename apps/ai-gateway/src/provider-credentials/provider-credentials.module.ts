import { LiveGateway } from '@gatehouse/live-gateway/live-gateway';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { type DynamicModule, Module } from '@nestjs/common';
import { ProviderCredentials } from './provider-credentials.ts';
import type { CredentialPlaces } from './secret-source.ts';

/** Provides the credentials of the providers. */
@Module({})
export class ProviderCredentialsModule {
  /** Creates the module of a running service. */
  static of(places: CredentialPlaces): DynamicModule {
    const open = (gateway: LiveGateway, log: Log, readiness: Readiness) =>
      new ProviderCredentials(gateway, places, log, readiness);
    return {
      module: ProviderCredentialsModule,
      providers: [{ provide: ProviderCredentials, useFactory: open, inject: [LiveGateway, Log, Readiness] }],
      exports: [ProviderCredentials],
    };
  }
}
