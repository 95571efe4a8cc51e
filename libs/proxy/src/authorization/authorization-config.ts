/** The rules of an authorization configuration of the type `cedarv1`. */
export interface CedarRules {
  /** Cedar policies. */
  readonly policies: readonly string[];
  /** A JSON text with a list of Cedar entities; undefined or empty: none. */
  readonly entities_json?: string | null | undefined;
  /** The claim with the groups of the caller, or a path to it with dots. */
  readonly group_claim_name?: string | null | undefined;
  /** A claim whose values are groups too. */
  readonly role_claim_name?: string | null | undefined;
  /** The type of the entities of groups; undefined or empty: `THVGroup`. */
  readonly group_entity_type?: string | null | undefined;
  /** Claims with several values: a text with blanks, and a set beside it. */
  readonly multi_valued_claims?: readonly string[] | null | undefined;
}
