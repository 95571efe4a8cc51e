import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import type { CedarRules } from './authorization-config.ts';

/** The claims that have the groups where the rules name none. */
const GROUP_CLAIMS = ['groups', 'roles', 'cognito:groups'];

type Claims = Readonly<Record<string, unknown>>;

/** Lists the groups and roles of a caller. */
export function listGroups(
  claims: Claims,
  { group_claim_name: group, role_claim_name: role }: Pick<CedarRules, 'group_claim_name' | 'role_claim_name'>,
): string[] {
  const groups = group
    ? readNames(findClaim(claims, group))
    : GROUP_CLAIMS.map((name) => readNames(findClaim(claims, name))).find((names) => names.length > 0);
  const roles = role ? readNames(findClaim(claims, role)) : [];
  return [...new Set([...(groups ?? []), ...roles])];
}

/** Finds a claim by its whole name, else by a path with dots, as in `realm_access.roles`. */
function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const step of name.split('.'))
    value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

function readNames(value: unknown): string[] {
  const names = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  return names.filter((name): name is string => typeof name === 'string' && name !== '');
}
