import { deriveBindingKey } from '@gatehouse/auth/binding-claim';
import type { IssuerSettings } from '@gatehouse/service-kit/config';

/** The claim of an issuer's tokens and the SCIM attribute that have the same value for a user. */
export type BindingRule = IssuerSettings['binding'];

/** The SCIM attributes that can bind a user to tokens. */
export interface ProvisionedIdentity {
  userName?: string | null | undefined;
  externalId?: string | null | undefined;
  /** SCIM `emails` (RFC 7643 §4.1.2). The primary address is used, else the first. */
  emails?: readonly { value?: string | null | undefined; primary?: boolean | null | undefined }[] | null | undefined;
}

/** The binding of a directory entry, as it is stored. */
export interface Binding {
  /** Comparison form of the attribute's value; null without a value: no token finds the entry. */
  binding_key: string | null;
  /** The subject, when the claim is `sub`. Absent: the entry keeps its subject. */
  subject?: string;
}

/** Computes the binding of a provisioned user. */
export function computeBinding({ claim, attribute }: BindingRule, identity: ProvisionedIdentity): Binding {
  const value = readAttribute(attribute, identity);
  const key = value === undefined ? undefined : deriveBindingKey(claim, value);
  if (value === undefined || key === undefined) return { binding_key: null };
  return claim === 'sub' ? { binding_key: key, subject: value } : { binding_key: key };
}

function readAttribute(attribute: BindingRule['attribute'], identity: ProvisionedIdentity): string | undefined {
  const { emails } = identity;
  const value =
    attribute === 'emails'
      ? (emails?.find(({ primary }) => primary === true) ?? emails?.[0])?.value
      : identity[attribute];
  return value === null || value === '' ? undefined : value;
}
