import type { PrincipalMatcher } from '@gatehouse/ai-resources/generated/types';
import type { Claims } from './claims.ts';
import { matchesPrincipal } from './principal-matcher.ts';

/**
 * Resolves the roles of a principal.
 * @param roles the matchers of each role: `spec.auth.authz.roles` of an AIGateway
 * @returns the names of its roles, sorted
 */
export const resolveRoles = (
  claims: Claims,
  roles: Readonly<Record<string, readonly PrincipalMatcher[]>> = {},
): string[] =>
  Object.entries(roles)
    .filter(([, matchers]) => matchesPrincipal(claims, matchers))
    .map(([name]) => name)
    .sort();
