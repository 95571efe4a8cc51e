import type { AIGatewaySpec, AIGatewayStatus } from '@gatehouse/ai-resources/generated/types';
import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { Violation } from '@gatehouse/ai-resources/resource-store';
import { type Finding, formatNames, updateConditions } from './conditions.ts';
import { findGatewayViolations } from './gateway-violations.ts';

/**
 * Computes the status of a gateway: whether services can use it, and whether each backend names a
 * provider of the gateway.
 * @param gateway with its previous status, whose times stay for conditions with the same status
 * @returns the previous status when nothing has changed, as a value
 */
export function computeGatewayStatus(gateway: AIGateway, now: Date): AIGatewayStatus {
  const violations = findGatewayViolations(gateway);
  const findings = [examineSpec(violations), examineBackends(gateway.spec, violations)];
  return {
    observedGeneration: gateway.metadata.generation,
    conditions: updateConditions(gateway, findings, now),
  };
}

function examineSpec(violations: readonly Violation[]): Finding {
  const type = 'Accepted';
  if (violations.length === 0)
    return { type, status: 'True', reason: 'Accepted', message: 'The AI gateway can use this resource.' };
  const problems = formatNames(violations.map(({ field, message }) => `${field} ${message}`));
  return { type, status: 'False', reason: 'Invalid', message: `The AI gateway cannot use this resource: ${problems}.` };
}

/** Finds backends that name no provider, also those of the default route. */
function examineBackends(
  { providers = [], routes = [], defaultRoute }: AIGatewaySpec,
  violations: readonly Violation[],
): Finding {
  const type = 'ResolvedRefs';
  if (violations.length > 0)
    return { type, status: 'Unknown', reason: 'Invalid', message: 'The resource is invalid, see Accepted.' };
  const known = new Set(providers.map(({ name }) => name));
  const backends = [...routes, ...(defaultRoute === undefined ? [] : [defaultRoute])].flatMap(
    (route) => route.backends,
  );
  const missing = [...new Set(backends.map(({ provider }) => provider))].filter((name) => !known.has(name)).sort();
  if (missing.length === 0)
    return {
      type,
      status: 'True',
      reason: 'ResolvedRefs',
      message: 'Each backend names a provider of the AI gateway.',
    };
  return {
    type,
    status: 'False',
    reason: 'ProviderNotFound',
    message: `Backends name providers that the AI gateway lacks: ${formatNames(missing)}.`,
  };
}
