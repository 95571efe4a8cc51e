import type { ResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import type { GatewayAuthentication } from '@gatehouse/live-gateway/gateway-authentication';
import { LiveGateway } from '@gatehouse/live-gateway/live-gateway';
import { ResourceFollower } from '@gatehouse/live-gateway/resource-follower';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import { KnownResources } from './known-resources.ts';
import { Resources } from './resources.ts';

/** The resources of a running service. */
export interface OpenResources {
  readonly stores: ResourceStores;
  readonly authentication: GatewayAuthentication;
}

/** Provides the resources of the namespace to all modules, and follows them. */
@Global()
@Module({ providers: [KnownResources], exports: [KnownResources] })
export class ResourcesModule {
  /** Creates the module of a running service. */
  static of({ stores, authentication }: OpenResources): DynamicModule {
    const create = (settings: Settings, log: Log) => new Resources(stores, settings.NAMESPACE, log);
    const follow = (resources: Resources, settings: Settings, readiness: Readiness, log: Log) => {
      const { gateways, policies } = resources;
      const gateway = new LiveGateway(gateways, settings, authentication);
      return new ResourceFollower({ gateway, gateways, others: { 'ai-policies': policies }, stores, readiness, log });
    };
    return {
      module: ResourcesModule,
      providers: [
        { provide: Resources, useFactory: create, inject: [SETTINGS, Log] },
        { provide: ResourceFollower, useFactory: follow, inject: [Resources, SETTINGS, Readiness, Log] },
      ],
      exports: [Resources],
    };
  }

  /** Creates the module for the OpenAPI document, without resources. */
  static createForDocument(): DynamicModule {
    return {
      module: ResourcesModule,
      providers: [{ provide: Resources, useValue: undefined }],
      exports: [Resources],
    };
  }
}
