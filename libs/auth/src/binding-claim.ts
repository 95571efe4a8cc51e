/** Maximum size of a value in bytes. The directory refuses longer values. */
const MAX_VALUE_BYTES = 1_024;

/**
 * The value of the claim that links a verified token to a provisioned user.
 * @param claim a name, or a dotted path into nested objects
 * @returns undefined for a missing or empty claim, a value that is not a text, has control
 * characters, lone surrogates or more than 1,024 bytes, and for an `email` that the issuer did not
 * verify
 */
export function getBindingValue(claims: Readonly<Record<string, unknown>>, claim: string): string | undefined {
  if (claim === 'email' && !isEmailTrusted(claims)) return undefined;
  const value = getValue(claims, Object.hasOwn(claims, claim) ? [claim] : claim.split('.'));
  return typeof value === 'string' && isUsable(value) ? value : undefined;
}

/**
 * Whether the `email` of a token is trusted: `email_verified` is true (OpenID Connect Core 1.0
 * §5.1; some issuers send a text), or absent, as with issuers that have only their own addresses.
 * Every other value means that the email is not verified.
 */
export function isEmailTrusted({ email_verified }: Readonly<Record<string, unknown>>): boolean {
  return email_verified === undefined || email_verified === true || email_verified === 'true';
}

/**
 * The binding key of a verified token.
 * @returns null without a value, and when the claim is the subject itself
 */
export function getTokenBindingKey(
  { claim }: { claim: string },
  claims: Readonly<Record<string, unknown>>,
): string | null {
  const value = claim === 'sub' ? undefined : getBindingValue(claims, claim);
  return (value === undefined ? undefined : deriveBindingKey(claim, value)) ?? null;
}

/**
 * The form in which a directory attribute and a claim are compared. Subjects and other opaque ids
 * match exactly (OpenID Connect Core 1.0 §2). Email addresses and user names also match when the
 * case of ASCII letters differs. With case folding of all Unicode, an address that only looks the
 * same would match.
 * @returns undefined for a value that is empty, too long, or has control characters or lone
 * surrogates
 */
export function deriveBindingKey(claim: string, value: string): string | undefined {
  const key = CASE_INSENSITIVE_CLAIMS.has(claim) ? value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : value;
  return key === '' || /[\p{Cc}\p{Cs}]/u.test(key) || Buffer.byteLength(key) > MAX_VALUE_BYTES ? undefined : key;
}

const CASE_INSENSITIVE_CLAIMS: ReadonlySet<string> = new Set(['email', 'preferred_username', 'upn', 'unique_name']);

function isUsable(value: string): boolean {
  return value !== '' && !/[\p{Cc}\p{Cs}]/u.test(value) && Buffer.byteLength(value) <= MAX_VALUE_BYTES;
}

function getValue(claims: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
  let found: unknown = claims;
  for (const name of path) {
    if (found === null || typeof found !== 'object' || Array.isArray(found) || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}
