import type { Role } from '@gatehouse/auth/roles';
import { resolveRoles } from '@gatehouse/ai-policies/roles';
import type { GatewayAuthorization } from '@gatehouse/ai-resources/generated/types';

/** The roles of an AIGateway that this service knows. It may define further ones. */
const SERVICE_ROLES: readonly Role[] = ['admin', 'authenticated', 'gateway', 'policyEditor'];
/** The roles whose holders also are `authenticated`. */
const EDITORS: readonly Role[] = ['admin', 'policyEditor'];

/**
 * Returns the roles of a token at this service: those whose matchers match its claims. A role
 * without matchers has no holders; administrators and policy editors also are `authenticated`.
 * @param authz `spec.auth.authz` of the AIGateway
 */
export function resolveServiceRoles(
  claims: Readonly<Record<string, unknown>>,
  authz: GatewayAuthorization | undefined,
): Role[] {
  const held = resolveRoles(claims, authz?.roles);
  const known = SERVICE_ROLES.filter((role) => held.includes(role));
  const isEditor = EDITORS.some((role) => known.includes(role));
  return isEditor && !known.includes('authenticated') ? [...known, 'authenticated'] : known;
}
