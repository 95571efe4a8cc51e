/**
 * What a verified token may be: `user` is every one; the others come from claims by configuration.
 */
export type Role = 'admin' | 'auditor' | 'gateway' | 'user';

/** Roles that claims can give. */
export type MappedRole = Exclude<Role, 'user'>;

/** Where an issuer's tokens say what their holder is. */
export interface RoleMapping {
  /**
   * Claim that holds the values: a name, a dotted path into nested objects (`realm_access.roles`),
   * or the path as a list for names with dots.
   */
  claim: string | readonly string[];
  /** Values of the claim that give a role; a role without values is given to nobody. */
  values: Partial<Record<MappedRole, readonly string[] | undefined>>;
}

const MAPPED: readonly MappedRole[] = ['admin', 'auditor', 'gateway'];
/** Claims that hold a space-separated list in one string (RFC 8693 §4.2). */
const LISTS_IN_A_STRING = new Set(['scope', 'scp']);

/**
 * The roles that verified claims give: `user` always, the others by the mapping. Comparison is
 * exact.
 */
export function rolesOf(
  claims: Readonly<Record<string, unknown>>,
  mapping: RoleMapping | undefined,
): ReadonlySet<Role> {
  const roles = new Set<Role>(['user']);
  if (!mapping) return roles;
  const held = valuesAt(claims, mapping.claim);
  for (const role of MAPPED) {
    if (mapping.values[role]?.some((value) => held.has(value))) roles.add(role);
  }
  return roles;
}

/**
 * Whether the token belongs to a data plane and to nothing else: such a token acts for no person.
 */
export const isGatewayAlone = (roles: ReadonlySet<Role>): boolean => roles.has('gateway') && roles.size === 2;

/** Whether the mapping gives anybody the role `admin` or `auditor`. */
export const mapsAdministration = (mapping: RoleMapping | undefined): boolean =>
  (mapping?.values.admin?.length ?? 0) + (mapping?.values.auditor?.length ?? 0) > 0;

function valuesAt(claims: Readonly<Record<string, unknown>>, claim: string | readonly string[]): ReadonlySet<string> {
  const path = typeof claim !== 'string' ? claim : Object.hasOwn(claims, claim) ? [claim] : claim.split('.');
  let found: unknown = claims;
  for (const name of path) {
    if (found === null || typeof found !== 'object' || Array.isArray(found) || !Object.hasOwn(found, name))
      return new Set();
    found = (found as Record<string, unknown>)[name];
  }
  if (typeof found === 'string') return new Set(LISTS_IN_A_STRING.has(path.at(-1) ?? '') ? found.split(' ') : [found]);
  return new Set(Array.isArray(found) ? found.filter((value) => typeof value === 'string') : []);
}
