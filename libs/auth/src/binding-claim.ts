/** Longest value in bytes that can bind anybody: what a directory can look up. */
const MAX_VALUE_BYTES = 1_024;

/**
 * What a verified token says in the claim that binds it to a provisioned person.
 * @param claim a name, or a dotted path into nested objects
 * @returns undefined where the claim is missing, empty or no text, where it has control characters, halves of characters or more than 1,024 bytes (no
 *   provisioned value has them), and for an `email` that the issuer has not verified: anybody could have typed that one
 */
export function bindingValueOf(claims: Readonly<Record<string, unknown>>, claim: string): string | undefined {
  if (claim === 'email' && !isEmailBelieved(claims)) return undefined;
  const value = valueAt(claims, Object.hasOwn(claims, claim) ? [claim] : claim.split('.'));
  return typeof value === 'string' && isUsable(value) ? value : undefined;
}

/**
 * Whether the `email` of a token counts: the issuer says that it is verified (OpenID Connect Core 1.0 §5.1; some write it as text), or says nothing of it,
 * as issuers do that know addresses of their own only. Whatever else `email_verified` is, it is no yes.
 */
export function isEmailBelieved({ email_verified }: Readonly<Record<string, unknown>>): boolean {
  return email_verified === undefined || email_verified === true || email_verified === 'true';
}

function isUsable(value: string): boolean {
  return value !== '' && !/[\p{Cc}\p{Cs}]/u.test(value) && Buffer.byteLength(value) <= MAX_VALUE_BYTES;
}

function valueAt(claims: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  let found: unknown = claims;
  for (const name of path) {
    if (found === null || typeof found !== 'object' || Array.isArray(found) || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
