import { bindingValueOf } from '@gatehouse/auth/binding-claim';
import type { IssuerSettings } from '@gatehouse/service-kit/config';

/** Which claim of an issuer's tokens carries which SCIM attribute of its people. */
export type BindingRule = IssuerSettings['binding'];

/** Longest binding key in bytes: what a Postgres index entry can hold beside the issuer. */
const MAX_KEY_BYTES = 1_024;

/** What provisioning says about a person, as far as it can bind them to their tokens. */
export interface ProvisionedIdentity {
  userName?: string | null | undefined;
  externalId?: string | null | undefined;
  /** SCIM `emails` (RFC 7643 §4.1.2). The primary one counts; without one that says so, the first. */
  emails?: readonly { value?: string | null | undefined; primary?: boolean | null | undefined }[] | null | undefined;
}

/** What the directory stores of it. */
export interface Binding {
  /** Form under which the token's claim is looked up; null while the attribute says nothing: then no token finds the entry by it. */
  binding_key: string | null;
  /** Given where the attribute is the subject itself: it is stored at once. Absent: whatever subject the entry has stays. */
  subject?: string;
}

/** What binds a provisioned person to their tokens. */
export function bindingOf({ claim, attribute }: BindingRule, identity: ProvisionedIdentity): Binding {
  const value = attributeOf(attribute, identity);
  const key = value === undefined ? undefined : bindingKey(claim, value);
  if (value === undefined || key === undefined) return { binding_key: null };
  return claim === 'sub' ? { binding_key: key, subject: value } : { binding_key: key };
}

/** The binding key that a verified token has. @returns null without one, and where the claim is the subject itself */
export function bindingKeyOfToken({ claim }: BindingRule, claims: Readonly<Record<string, unknown>>): string | null {
  const value = claim === 'sub' ? undefined : bindingValueOf(claims, claim);
  return (value === undefined ? undefined : bindingKey(claim, value)) ?? null;
}

/**
 * The form under which an attribute and a claim are the same. Subjects and other opaque ids are compared exactly (OpenID Connect Core 1.0 §2); addresses
 * and names may differ in the case of their ASCII letters, and in nothing else: folding more of Unicode would let somebody sign in as the owner of
 * an address that only looks like theirs.
 * @returns undefined for what is too long to be kept, or holds characters that no id has (control characters, halves of surrogate pairs)
 */
export function bindingKey(claim: string, value: string): string | undefined {
  const key = READ_BY_PEOPLE.has(claim) ? value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : value;
  return key === '' || /[\p{Cc}\p{Cs}]/u.test(key) || Buffer.byteLength(key) > MAX_KEY_BYTES ? undefined : key;
}

const READ_BY_PEOPLE: ReadonlySet<string> = new Set(['email', 'preferred_username', 'upn', 'unique_name']);

function attributeOf(attribute: BindingRule['attribute'], identity: ProvisionedIdentity): string | undefined {
  const { emails } = identity;
  const value =
    attribute === 'emails'
      ? (emails?.find(({ primary }) => primary === true) ?? emails?.[0])?.value
      : identity[attribute];
  return value === null || value === '' ? undefined : value;
}
