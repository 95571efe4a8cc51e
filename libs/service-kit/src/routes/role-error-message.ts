import type { RequiredRole } from './route-facts.ts';

/** Whether a route is open to every user. */
const isForPeople = (roles: readonly RequiredRole[]): boolean => roles.includes('user') || roles.includes('any');

/** Whether a role of the administration of an AI gateway opens a route. */
const isForPolicies = (roles: readonly RequiredRole[]): boolean =>
  roles.includes('authenticated') || roles.includes('policyEditor');

/** Whether only administrative roles of the directory open a route. */
export const isAdministrative = (roles: readonly RequiredRole[]): boolean =>
  !isForPeople(roles) && !isForPolicies(roles) && (roles.includes('admin') || roles.includes('auditor'));

/**
 * The message for a caller whose roles do not open a route.
 * @param isGateway whether the token has only the role `gateway`; default true for a route that is
 * open to every user
 */
export function roleErrorMessage(roles: readonly RequiredRole[], isGateway = isForPeople(roles)): string {
  if (isGateway) return 'a gateway token cannot do this';
  if (isForPolicies(roles)) return `caller has none of the roles ${roles.join(', ')}`;
  return isAdministrative(roles) ? 'caller is not a directory admin' : 'caller is not a gateway';
}
