/** The Cedar types of token claims: text, whole number, boolean, list of texts. */
export const CLAIM_TYPES = ['String', 'Long', 'Bool', 'Set<String>'] as const;

/** One Cedar type of a token claim. */
export type ClaimType = (typeof CLAIM_TYPES)[number];

/**
 * The claims of a verified token that policies may mention, with their types. The claim `email`
 * becomes the attribute `claim_email` of the principal. Other claims do not exist for policies.
 */
export type ClaimMapping = Readonly<Record<string, ClaimType>>;

/** The claims of OpenID Connect that policies may mention in every deployment. */
export const STANDARD_CLAIMS: ClaimMapping = {
  email: 'String',
  email_verified: 'Bool',
  name: 'String',
  preferred_username: 'String',
  groups: 'Set<String>',
  roles: 'Set<String>',
};

/** Claim names that need no quotes as a Cedar attribute. Other names are refused. */
export const CLAIM_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** The attribute of the principal for a claim. */
export function getAttribute(claim: string): string {
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
 * Tests whether the value of a claim has the type of the mapping. Whole numbers have 64 bits in
 * Cedar; safe integers of JavaScript have 53.
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
