import type { AIPolicyStatus } from '@gatehouse/ai-resources/generated/types';
import type { AIGateway, AIPolicy } from '@gatehouse/ai-resources/resource';
import { type Finding, formatNames, updateConditions } from './conditions.ts';

/**
 * Computes the status of a policy.
 * @param policy with its previous status, whose times stay for conditions with the same status
 * @param gateway the AIGateway that the policy names, or undefined when there is none
 * @returns the previous status when nothing has changed, as a value
 */
export function computePolicyStatus(policy: AIPolicy, gateway: AIGateway | undefined, now: Date): AIPolicyStatus {
  const findings = [examineGateway(policy, gateway), examineModels(policy, gateway)];
  return {
    observedGeneration: policy.metadata.generation,
    appliedToSecurityPolicy: '',
    conditions: updateConditions(policy, findings, now),
  };
}

function examineGateway({ spec }: AIPolicy, gateway: AIGateway | undefined): Finding {
  const { name } = spec.gatewayRef;
  return gateway === undefined
    ? { type: 'Accepted', status: 'False', reason: 'GatewayNotFound', message: `There is no AIGateway ${name}.` }
    : { type: 'Accepted', status: 'True', reason: 'Accepted', message: `The AIGateway ${name} exists.` };
}

/** Finds granted models without a route. A default route serves all models. */
function examineModels({ spec }: AIPolicy, gateway: AIGateway | undefined): Finding {
  const { name } = spec.gatewayRef;
  const type = 'ResolvedRefs';
  if (gateway === undefined)
    return { type, status: 'False', reason: 'GatewayNotFound', message: `There is no AIGateway ${name}.` };
  const granted = new Set((spec.budgets ?? []).flatMap(({ models }) => models));
  const routed = new Set(['*', ...(gateway.spec.routes ?? []).map(({ match }) => match.model)]);
  const missing =
    gateway.spec.defaultRoute === undefined ? [...granted].filter((model) => !routed.has(model)).sort() : [];
  if (missing.length > 0)
    return {
      type,
      status: 'False',
      reason: 'ModelNotFound',
      message: `The AIGateway ${name} has no route for ${formatNames(missing)}.`,
    };
  return { type, status: 'True', reason: 'ResolvedRefs', message: `The AIGateway ${name} serves all granted models.` };
}
