import { listGrantedModels } from '@gatehouse/ai-policies/granted-models';
import { PolicyIndex } from '@gatehouse/ai-policies/policy-index';
import type { AIGateway, AIPolicy } from '@gatehouse/ai-resources/resource';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { Principal } from '../identity/principals.ts';
import { type ServedRoute, indexRoutes } from './served-routes.ts';

interface Grants {
  readonly gateway: AIGateway;
  readonly revision: number;
  readonly models: ReadonlySet<string>;
  readonly isUnrestricted: boolean;
}

/**
 * Decides which models a principal may use: those that the policies of the gateway grant. The
 * decision is remembered for the claims of a principal until a policy or the gateway changes.
 */
export class ModelGrants {
  private readonly index = new PolicyIndex();
  private readonly remembered = new WeakMap<Principal['claims'], Grants>();
  private revision = 0;

  /** @param gatewayName the name of the AIGateway of this instance */
  constructor(private readonly gatewayName: string) {}

  /** Takes the change of a policy. @param policy undefined if it was deleted */
  update(name: string, policy: AIPolicy | undefined): void {
    if (policy?.spec.gatewayRef.name === this.gatewayName) this.index.put(policy);
    else this.index.remove(name);
    this.revision += 1;
  }

  /** The models that a principal may use and that have a route, sorted. */
  listModels(principal: Principal, gateway: AIGateway): readonly string[] {
    const { models } = this.find(principal, gateway);
    const routes = indexRoutes(gateway);
    return [...models].filter((model) => routes.find(model) !== undefined).sort();
  }

  /**
   * Returns the route of a model.
   * @throws ModelCallError `not_found`, the same for a model that is unknown or not granted
   */
  requireRoute(principal: Principal, gateway: AIGateway, model: string): ServedRoute {
    const { models, isUnrestricted } = this.find(principal, gateway);
    const route = isUnrestricted || models.has(model) ? indexRoutes(gateway).find(model) : undefined;
    if (route !== undefined) return route;
    const reason = indexRoutes(gateway).find(model) === undefined ? 'model_unknown' : 'model_not_granted';
    throw new ModelCallError('not_found', `The model \`${model}\` does not exist or you do not have access to it.`, {
      field: 'model',
      reason,
    });
  }

  private find({ claims }: Principal, gateway: AIGateway): Grants {
    const known = this.remembered.get(claims);
    if (known?.gateway === gateway && known.revision === this.revision) return known;
    const { models, isUnrestricted } = listGrantedModels(this.index.find(claims), gateway.spec);
    const grants = { gateway, revision: this.revision, models: new Set(models), isUnrestricted };
    this.remembered.set(claims, grants);
    return grants;
  }
}
