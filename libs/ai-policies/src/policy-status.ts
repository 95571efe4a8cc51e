import type { AIPolicyStatus, Condition } from '@gatehouse/ai-resources/generated/types';
import type { AIGateway, AIPolicy } from '@gatehouse/ai-resources/resource';

/** The number of models that the message of a condition names. */
const NAMED_MODELS = 5;

type Finding = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * Computes the status of a policy.
 * @param policy with its previous status, whose times stay for conditions with the same status
 * @param gateway the AIGateway that the policy names, or undefined when there is none
 * @returns the previous status when nothing has changed, as a value
 */
export function computePolicyStatus(policy: AIPolicy, gateway: AIGateway | undefined, now: Date): AIPolicyStatus {
  const { generation } = policy.metadata;
  const findings = [examineGateway(policy, gateway), examineModels(policy, gateway)];
  const types = new Set(findings.map(({ type }) => type));
  const previous = policy.status?.conditions ?? [];
  const conditions = findings.map((finding) => ({
    ...finding,
    lastTransitionTime: findTransitionTime(previous, finding) ?? formatTime(now),
    observedGeneration: generation,
  }));
  return {
    observedGeneration: generation,
    appliedToSecurityPolicy: '',
    // Conditions of other types belong to other programs.
    conditions: [...conditions, ...previous.filter(({ type }) => !types.has(type))],
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

const findTransitionTime = (previous: readonly Condition[], { type, status }: Finding): string | undefined =>
  previous.find((condition) => condition.type === type && condition.status === status)?.lastTransitionTime;

function formatNames(names: readonly string[]): string {
  const named = names.slice(0, NAMED_MODELS).join(', ');
  return names.length <= NAMED_MODELS ? named : `${named} and ${names.length - NAMED_MODELS} more`;
}

/** Formats a time as Kubernetes does: RFC 3339 in whole seconds. */
const formatTime = (time: Date): string => `${time.toISOString().slice(0, -5)}Z`;
