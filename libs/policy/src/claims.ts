/** The Cedar types that a token claim may be given: text, whole number, boolean, list of text. */
export const CLAIM_TYPES = ['String', 'Long', 'Bool', 'Set<String>'] as const;

/** One of them. */
export type ClaimType = (typeof CLAIM_TYPES)[number];

/**
 * Which claims of a verified token policies may speak about, and with which type. The claim `email`
 * becomes the attribute `claim_email` of the principal; a claim that is not named here does not
 * exist for policies.
 */
export type ClaimMapping = Readonly<Record<string, ClaimType>>;

/** The claims of OpenID Connect that every deployment can speak about. */
export const STANDARD_CLAIMS: ClaimMapping = {
  email: 'String',
  email_verified: 'Bool',
  name: 'String',
  preferred_username: 'String',
  groups: 'Set<String>',
  roles: 'Set<String>',
};

/** Names that can stand as a Cedar attribute without quoting; any other claim name is refused. */
export const CLAIM_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** The attribute of the principal that carries a claim. */
export function attributeOf(claim: string): string {
  return `claim_${claim}`;
}

/** Throws when a mapping names a claim that cannot be an attribute of the schema. */
export function assertClaimNames(mapping: ClaimMapping): void {
  for (const name of Object.keys(mapping)) {
    if (!CLAIM_NAME.test(name))
      throw new Error(`claim ${JSON.stringify(name)} cannot be used in policies: letters, digits and _ only`);
  }
}

/**
 * Whether a claim's value has the type that the mapping gives it. Cedar's whole numbers have 64
 * bits, JavaScript's safe ones 53.
 */
export function hasType(value: unknown, type: ClaimType): value is string | number | boolean | string[] {
  switch (type) {
    case 'String':
      return typeof value === 'string';
    case 'Bool':
      return typeof value === 'boolean';
    case 'Long':
      return Number.isSafeInteger(value);
    case 'Set<String>':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
  }
}
