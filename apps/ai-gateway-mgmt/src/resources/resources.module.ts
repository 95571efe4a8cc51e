import type { ResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import { Log } from '@gatehouse/service-kit/log';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { GatewayAuthentication } from './gateway-authentication.ts';
import { KnownResources } from './known-resources.ts';
import { ResourceFollower } from './resource-follower.ts';
import { Resources } from './resources.ts';

/** Provides the resources of the namespace to all modules, and follows them. */
@Global()
@Module({ providers: [KnownResources, ResourceFollower], exports: [KnownResources] })
export class ResourcesModule {
  /** @param stores undefined, as the authentication, for the OpenAPI document */
  static of(stores: ResourceStores | undefined, authentication: GatewayAuthentication | undefined): DynamicModule {
    const open = (log: Log) => stores && new Resources(stores, log);
    return {
      module: ResourcesModule,
      providers: [
        { provide: Resources, useFactory: open, inject: [Log] },
        { provide: GatewayAuthentication, useValue: authentication },
      ],
      exports: [Resources],
    };
  }
}
