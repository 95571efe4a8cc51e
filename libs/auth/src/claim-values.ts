/** Claims with a space-separated list in one string (RFC 8693 §4.2). */
const STRING_LIST_CLAIMS = new Set(['scope', 'scp']);

/**
 * The texts of a claim: its text, or the texts of its list. Empty for any other value.
 * @param claim a name, a dotted path into nested objects, or a list of names for names with dots
 */
export function listClaimValues(
  claims: Readonly<Record<string, unknown>>,
  claim: string | readonly string[],
): ReadonlySet<string> {
  const path = typeof claim !== 'string' ? claim : Object.hasOwn(claims, claim) ? [claim] : claim.split('.');
  let found: unknown = claims;
  for (const name of path) {
    if (found === null || typeof found !== 'object' || Array.isArray(found) || !Object.hasOwn(found, name))
      return new Set();
    found = (found as Record<string, unknown>)[name];
  }
  if (typeof found === 'string') return new Set(STRING_LIST_CLAIMS.has(path.at(-1) ?? '') ? found.split(' ') : [found]);
  return new Set(Array.isArray(found) ? found.filter((value) => typeof value === 'string') : []);
}
