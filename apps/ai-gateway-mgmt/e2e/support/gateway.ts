import type { AIGateway } from '@gatehouse/ai-resources/resource';
import type { WrittenGateway } from './written-resources.ts';

/** Name of the AIGateway of the services under test. */
export const GATEWAY = 'gateway-a';

/** The roles that tokens have by the values of their claim `roles`. */
export const ROLES = ['admin', 'authenticated', 'gateway', 'policyEditor'] as const;

/**
 * An AIGateway for the tokens of an issuer: the claim `roles` gives the roles of the same names.
 */
export const createGateway = (
  oidc: AIGateway['spec']['auth']['oidc'],
  spec: Partial<AIGateway['spec']> = {},
): WrittenGateway => {
  const roles = Object.fromEntries(ROLES.map((role) => [role, [{ claims: { roles: role } }]]));
  return {
    metadata: { name: GATEWAY },
    spec: { auth: { oidc, authz: { roles } }, virtualKeys: { enabled: true }, ...spec },
  };
};
