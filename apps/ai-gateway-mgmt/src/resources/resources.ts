import type { ResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import type { AIGateway, AIPolicy } from '@gatehouse/ai-resources/resource';
import { CachedResources } from '@gatehouse/live-gateway/cached-resources';
import type { Log } from '@gatehouse/service-kit/log';

/** The file of deploy/rbac with the permissions of this service. */
const ROLE = 'ai-gateway-mgmt.yaml';

/** The resources of the namespace. */
export class Resources {
  readonly gateways: CachedResources<AIGateway>;
  readonly policies: CachedResources<AIPolicy>;

  constructor(
    readonly stores: ResourceStores,
    namespace: string,
    log: Log,
  ) {
    this.gateways = new CachedResources(stores.gateways, { kind: 'AIGateway', namespace, role: ROLE }, log);
    this.policies = new CachedResources(stores.policies, { kind: 'AIPolicy', namespace, role: ROLE }, log);
  }
}
