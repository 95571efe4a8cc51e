import type { RequiredRole } from './route-facts.ts';

/** Whether a route is open to every user. */
const isForPeople = (roles: readonly RequiredRole[]): boolean => roles.includes('user') || roles.includes('any');

/** Whether only administrative roles open a route. */
export const isAdministrative = (roles: readonly RequiredRole[]): boolean =>
  !isForPeople(roles) && (roles.includes('admin') || roles.includes('auditor'));

/**
 * The message for a caller whose roles do not open a route.
 * @param isGateway whether the token has only the role `gateway`; default true for a route that is
 * open to every user
 */
export function roleErrorMessage(roles: readonly RequiredRole[], isGateway = isForPeople(roles)): string {
  if (isGateway) return 'a gateway token cannot do this';
  return isAdministrative(roles) ? 'caller is not a directory admin' : 'caller is not a gateway';
}
