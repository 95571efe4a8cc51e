import type { RequiredRole } from './route-facts.ts';

/** Whether a route is open to people as such, whatever else they may do. */
const isForPeople = (roles: readonly RequiredRole[]): boolean => roles.includes('user') || roles.includes('any');

/** Whether a route is opened by administrative roles alone. */
export const isAdministrative = (roles: readonly RequiredRole[]): boolean =>
  !isForPeople(roles) && (roles.includes('admin') || roles.includes('auditor'));

/**
 * What a caller is told whose roles do not open a route.
 * @param isGateway whether the token is a gateway's and nobody's else; by default that of whoever
 * the route usually refuses
 */
export function roleErrorMessage(roles: readonly RequiredRole[], isGateway = isForPeople(roles)): string {
  if (isGateway) return 'a gateway token cannot do this';
  return isAdministrative(roles) ? 'caller is not a directory admin' : 'caller is not a gateway';
}
