import type { ModelCallError } from '../formats/model-call-error.ts';

/** A caller whose credential was verified. */
export interface Principal {
  /** The id for logs and leases, never a secret: `key:<id>` or `user:<issuer> <subject>`. */
  readonly id: string;
  readonly kind: 'key' | 'person';
  /** The principal for the enterprise manager. */
  readonly wire: { readonly virtual_key_id: string } | { readonly issuer: string; readonly subject: string };
  readonly owner: { readonly issuer: string; readonly subject: string };
  /** The claims for principal matchers. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The version of the virtual key; 0 for a person. */
  readonly keyVersion: number;
}

/** The user behind a caller, as a key of maps: all keys and tokens of a user have the same. */
export const getOwnerKey = ({ owner }: Pick<Principal, 'owner'>): string =>
  JSON.stringify([owner.issuer, owner.subject]);

/** Identifies callers. */
export abstract class Principals {
  /**
   * Identifies the caller of a credential: a virtual key or an access token. It is synchronous for
   * a credential that is remembered.
   * @throws ModelCallError `unauthenticated` or `unavailable`
   */
  abstract identify(credential: string): Principal | Promise<Principal>;

  /**
   * Finds out whether a caller is refused since it was identified: its key was revoked, disabled or
   * has expired, or its user was deactivated. The end of an access token refuses no running call.
   * @returns undefined if the caller may continue, also while that is not known
   */
  abstract findRefusal(
    credential: string,
    principal: Principal,
  ): ModelCallError | undefined | Promise<ModelCallError | undefined>;
}
