/** Longest value in bytes that can bind anybody: what a directory can look up. */
const MAX_VALUE_BYTES = 1_024;

/**
 * What a verified token says in the claim that binds it to a provisioned person.
 * @param claim a name, or a dotted path into nested objects
 * @returns undefined where the claim is missing, empty or no text, where it has control characters,
 * halves of characters or more than 1,024 bytes (no provisioned value has them), and for an `email`
 * that the issuer has not verified: anybody could have typed that one
 */
export function bindingValueOf(claims: Readonly<Record<string, unknown>>, claim: string): string | undefined {
  if (claim === 'email' && !isEmailBelieved(claims)) return undefined;
  const value = valueAt(claims, Object.hasOwn(claims, claim) ? [claim] : claim.split('.'));
  return typeof value === 'string' && isUsable(value) ? value : undefined;
}

/**
 * Whether the `email` of a token counts: the issuer says that it is verified (OpenID Connect Core
 * 1.0 §5.1; some write it as text), or says nothing of it, as issuers do that know addresses of
 * their own only. Whatever else `email_verified` is, it is no yes.
 */
export function isEmailBelieved({ email_verified }: Readonly<Record<string, unknown>>): boolean {
  return email_verified === undefined || email_verified === true || email_verified === 'true';
}

/**
 * The binding key that a verified token has.
 * @returns null without one, and where the claim is the subject itself
 */
export function bindingKeyOfToken(
  { claim }: { claim: string },
  claims: Readonly<Record<string, unknown>>,
): string | null {
  const value = claim === 'sub' ? undefined : bindingValueOf(claims, claim);
  return (value === undefined ? undefined : bindingKey(claim, value)) ?? null;
}

/**
 * The form under which an attribute and a claim are the same. Subjects and other opaque ids are
 * compared exactly (OpenID Connect Core 1.0 §2); addresses and names may differ in the case of
 * their ASCII letters, and in nothing else: folding more of Unicode would let somebody sign in as
 * the owner of an address that only looks like theirs.
 * @returns undefined for what is too long to be kept, or holds characters that no id has (control
 * characters, halves of surrogate pairs)
 */
export function bindingKey(claim: string, value: string): string | undefined {
  const key = READ_BY_PEOPLE.has(claim) ? value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : value;
  return key === '' || /[\p{Cc}\p{Cs}]/u.test(key) || Buffer.byteLength(key) > MAX_VALUE_BYTES ? undefined : key;
}

const READ_BY_PEOPLE: ReadonlySet<string> = new Set(['email', 'preferred_username', 'upn', 'unique_name']);

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
