import { bindingKey } from '@gatehouse/auth/binding-claim';
import type { IssuerSettings } from '@gatehouse/service-kit/config';

/** Which claim of an issuer's tokens carries which SCIM attribute of its people. */
export type BindingRule = IssuerSettings['binding'];

/** What provisioning says about a person, as far as it can bind them to their tokens. */
export interface ProvisionedIdentity {
  userName?: string | null | undefined;
  externalId?: string | null | undefined;
  /**
   * SCIM `emails` (RFC 7643 §4.1.2). The primary one counts; without one that says so, the first.
   */
  emails?: readonly { value?: string | null | undefined; primary?: boolean | null | undefined }[] | null | undefined;
}

/** What the directory stores of it. */
export interface Binding {
  /**
   * Form under which the token's claim is looked up; null while the attribute says nothing: then no
   * token finds the entry by it.
   */
  binding_key: string | null;
  /**
   * Given where the attribute is the subject itself: it is stored at once. Absent: whatever subject
   * the entry has stays.
   */
  subject?: string;
}

/** What binds a provisioned person to their tokens. */
export function bindingOf({ claim, attribute }: BindingRule, identity: ProvisionedIdentity): Binding {
  const value = attributeOf(attribute, identity);
  const key = value === undefined ? undefined : bindingKey(claim, value);
  if (value === undefined || key === undefined) return { binding_key: null };
  return claim === 'sub' ? { binding_key: key, subject: value } : { binding_key: key };
}

function attributeOf(attribute: BindingRule['attribute'], identity: ProvisionedIdentity): string | undefined {
  const { emails } = identity;
  const value =
    attribute === 'emails'
      ? (emails?.find(({ primary }) => primary === true) ?? emails?.[0])?.value
      : identity[attribute];
  return value === null || value === '' ? undefined : value;
}
