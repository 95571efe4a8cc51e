import { LiveGateway } from '@gatehouse/live-gateway/live-gateway';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { type DynamicModule, Module } from '@nestjs/common';
import { ManagerClient } from '../manager/manager-client.ts';
import { ProviderCredentials } from './provider-credentials.ts';
import type { CredentialPlaces } from './secret-source.ts';

/** Provides the credentials of the providers. */
@Module({})
export class ProviderCredentialsModule {
  /** Creates the module of a running service. */
  static of(places: Omit<CredentialPlaces, 'manager'>): DynamicModule {
    const open = (gateway: LiveGateway, log: Log, readiness: Readiness, manager?: ManagerClient) =>
      new ProviderCredentials(gateway, { ...places, manager }, log, readiness);
    const inject = [LiveGateway, Log, Readiness, { token: ManagerClient, optional: true }];
    return {
      module: ProviderCredentialsModule,
      providers: [{ provide: ProviderCredentials, useFactory: open, inject }],
      exports: [ProviderCredentials],
    };
  }
}
