import type { AIGatewaySpec } from '@gatehouse/ai-resources/generated/types';
import type { AIPolicy } from '@gatehouse/ai-resources/resource';

/** The grant of all models of a gateway. */
const ALL_MODELS = '*';

/** The models that a principal may use. */
export interface GrantedModels {
  /** The names, each once, sorted. */
  readonly models: readonly string[];
  /** Whether the principal may use every model, also those of the default route. */
  readonly isUnrestricted: boolean;
}

/**
 * Unites the models that policies grant. The grant `*` adds all models with a route.
 * @param policies those of the gateway that match the principal
 */
export function listGrantedModels(policies: readonly AIPolicy[], gateway: AIGatewaySpec): GrantedModels {
  const models = new Set(policies.flatMap(({ spec }) => (spec.budgets ?? []).flatMap((budget) => budget.models)));
  const isUnrestricted = models.delete(ALL_MODELS);
  if (isUnrestricted) for (const { match } of gateway.routes ?? []) models.add(match.model);
  return { models: [...models].sort(), isUnrestricted };
}
