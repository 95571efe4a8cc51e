import type { AuthSettings } from './auth-settings.ts';

type Claims = Readonly<Record<string, unknown>>;
type RoleMapping = AuthSettings<'aws_sts'>['role_mappings'][number];

/** The longest session name of AWS. */
const MAX_NAME = 64;

/**
 * Chooses the role of a caller: that of the matching mapping with the lowest priority, in the order
 * of the list among equal ones; else the fallback.
 * @returns undefined if the caller has no role
 */
export function chooseRole(settings: AuthSettings<'aws_sts'>, claims: Claims): string | undefined {
  const { role_claim, role_mappings, fallback_role_arn } = settings;
  const values = readTexts(findClaim(claims, role_claim));
  const [first] = role_mappings
    .filter((mapping) => values.some((value) => matches(mapping, value)))
    .sort((one, other) => one.priority - other.priority);
  return first?.role_arn ?? fallback_role_arn;
}

/**
 * The name of the caller's session in AWS: the claim in the characters that AWS permits (2 to 64 of
 * `\w+=,.@-`).
 */
export function createSessionName({ session_name_claim }: AuthSettings<'aws_sts'>, claims: Claims): string {
  const [text = ''] = readTexts(findClaim(claims, session_name_claim));
  const name = text.replaceAll(/[^\w+=,.@-]/g, '-').slice(0, MAX_NAME);
  return name.length < 2 ? `gatehouse-${name}` : name;
}

/** A claim by its name, else by its dotted path into nested objects. */
function findClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Claims)[name] : undefined,
      claims,
    );
}

const readTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');

function matches({ claim, matcher }: RoleMapping, value: string): boolean {
  if (claim !== undefined) return claim === value;
  return matcher !== undefined && matchesPattern(matcher.split('*'), value);
}

/**
 * Whether a text has the parts of a pattern in their order, the first at its start and the last at
 * its end. The earliest place of each part is enough, so the time is linear.
 */
function matchesPattern(parts: readonly string[], value: string): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first) || value.length < first.length + last.length || !value.endsWith(last)) return false;
  let at = first.length;
  const end = value.length - last.length;
  for (const part of others) {
    const found = value.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
