import { listClaimValues } from './claim-values.ts';

/**
 * A role of a verified token. Each token has `user`; the other roles come from claims.
 * `authenticated` and `policyEditor` are roles of the administration of an AI gateway.
 */
export type Role = 'admin' | 'auditor' | 'authenticated' | 'gateway' | 'policyEditor' | 'user';

/** Roles that a RoleMapping can give. */
export type MappedRole = 'admin' | 'auditor' | 'gateway';

/** The claim of an issuer's tokens that gives roles. */
export interface RoleMapping {
  /**
   * The claim with the values: a name, a dotted path into nested objects (`realm_access.roles`), or
   * a list of names for names with dots.
   */
  claim: string | readonly string[];
  /** The values that give each role. A role without values is never given. */
  values: Partial<Record<MappedRole, readonly string[] | undefined>>;
}

/** Returns the roles besides `user` that verified claims give. */
export type RoleResolver = (claims: Readonly<Record<string, unknown>>) => Iterable<Role>;

const MAPPED_ROLES: readonly MappedRole[] = ['admin', 'auditor', 'gateway'];

/**
 * The roles that verified claims give: `user`, and the others by a resolver, or by the exact
 * comparison of a mapping.
 */
export function getRoles(
  claims: Readonly<Record<string, unknown>>,
  mapping: RoleMapping | RoleResolver | undefined,
): ReadonlySet<Role> {
  if (typeof mapping === 'function') return new Set<Role>(['user', ...mapping(claims)]);
  const roles = new Set<Role>(['user']);
  if (!mapping) return roles;
  const held = listClaimValues(claims, mapping.claim);
  for (const role of MAPPED_ROLES) {
    if (mapping.values[role]?.some((value) => held.has(value))) roles.add(role);
  }
  return roles;
}

/** Whether `gateway` is the only role besides `user`: such a token does not act for a user. */
export const isGatewayOnly = (roles: ReadonlySet<Role>): boolean => roles.has('gateway') && roles.size === 2;

/**
 * Whether the mapping can give the role `admin` or `auditor`. A resolver decides for each token, so
 * it counts as able to.
 */
export const mapsAdministration = (mapping: RoleMapping | RoleResolver | undefined): boolean =>
  typeof mapping === 'function' || (mapping?.values.admin?.length ?? 0) + (mapping?.values.auditor?.length ?? 0) > 0;
