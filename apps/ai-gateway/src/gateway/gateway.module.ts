import type { ResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import type { AIGateway, AIPolicy } from '@gatehouse/ai-resources/resource';
import { CachedResources } from '@gatehouse/live-gateway/cached-resources';
import type { GatewayAuthentication } from '@gatehouse/live-gateway/gateway-authentication';
import type { GatewayIdentity } from '@gatehouse/live-gateway/gateway-settings';
import { LiveGateway } from '@gatehouse/live-gateway/live-gateway';
import { ResourceFollower } from '@gatehouse/live-gateway/resource-follower';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { type DynamicModule, Global, Module } from '@nestjs/common';

/** The provider token of the cached AIPolicies of the namespace. */
export const POLICIES = Symbol('cached policies');

/** The AIGateway of a running service. */
export interface OpenGateway {
  readonly identity: GatewayIdentity;
  readonly stores: ResourceStores;
  readonly authentication: GatewayAuthentication;
}

/** Provides the AIGateway of this instance to all modules, and follows it. */
@Global()
@Module({})
export class GatewayModule {
  /** Creates the module of a running service. */
  static of({ identity, stores, authentication }: OpenGateway): DynamicModule {
    const description = { kind: 'AIGateway', namespace: identity.NAMESPACE, role: 'ai-gateway.yaml' } as const;
    const create = (log: Log) => new CachedResources<AIGateway>(stores.gateways, description, log);
    const createPolicies = (log: Log) =>
      new CachedResources<AIPolicy>(stores.policies, { ...description, kind: 'AIPolicy' }, log);
    const open = (gateways: CachedResources<AIGateway>) => new LiveGateway(gateways, identity, authentication);
    const follow = (
      gateways: CachedResources<AIGateway>,
      policies: CachedResources<AIPolicy>,
      gateway: LiveGateway,
      readiness: Readiness,
      log: Log,
    ) => new ResourceFollower({ gateway, gateways, others: { 'ai-policies': policies }, stores, readiness, log });
    return {
      module: GatewayModule,
      providers: [
        { provide: CachedResources, useFactory: create, inject: [Log] },
        { provide: LiveGateway, useFactory: open, inject: [CachedResources] },
        { provide: POLICIES, useFactory: createPolicies, inject: [Log] },
        {
          provide: ResourceFollower,
          useFactory: follow,
          inject: [CachedResources, POLICIES, LiveGateway, Readiness, Log],
        },
      ],
      exports: [LiveGateway, POLICIES],
    };
  }
}
