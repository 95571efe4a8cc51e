/** A caller whose credential was verified. */
export interface Principal {
  /** The id for limits and logs, never a secret: `key:<id>` or `user:<issuer> <subject>`. */
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

/** Identifies callers. */
export abstract class Principals {
  /**
   * Identifies the caller of a credential: a virtual key or an access token. It is synchronous for
   * a credential that is remembered.
   * @throws ModelCallError `unauthenticated` or `unavailable`
   */
  abstract identify(credential: string): Principal | Promise<Principal>;
}
