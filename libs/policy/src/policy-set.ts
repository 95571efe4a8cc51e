import { type ClaimMapping, attributeOf } from './claims.ts';
import { parseDocument, textsOf } from './document.ts';
import { mentionsOf, patternsIn } from './mentions.ts';
import type { ParsedPolicy } from './named-policies.ts';

/** The policies of one connector, ready to decide. It speaks about this connector only and is never merged with another. */
export interface PolicySet {
  readonly connectorId: string;
  /** Compiled grants of this connector: group -> name of the policy. */
  readonly grants: ReadonlyMap<string, string>;
  /** Text of all other policies by name; what follows is about them. */
  readonly policies: Readonly<Record<string, string>>;
  /** Whether there are none. */
  readonly empty: boolean;
  /** Groups that the policies mention. */
  readonly groups: ReadonlySet<string>;
  /** Whether the policies tell people apart by their id. */
  readonly namesUsers: boolean;
  /** Whether the policies compare texts with patterns, which takes its time for long ones. */
  readonly matches: boolean;
  /** Attribute of the principal -> claim of the token and its type; only those that a policy mentions. */
  readonly claims: ReadonlyMap<string, { readonly claim: string; readonly type: ClaimMapping[string] }>;
  /** Claims that a policy mentions and nobody maps (any more): nothing can be decided. */
  readonly unmapped: readonly string[];
}

/**
 * Reads a connector's document (from the directory or from a gateway's snapshot) into a set that `decide` takes.
 *
 * @throws DocumentError when the text does not parse or is too much
 */
export function preparePolicySet(connectorId: string, document: string, claims: ClaimMapping): PolicySet {
  const grants = new Map<string, string>();
  const policies = new Map<string, ParsedPolicy>();
  for (const [name, policy] of parseDocument(document)) {
    const { grant } = policy;
    if (grant === undefined) policies.set(name, policy);
    // A grant of another connector permits nothing here.
    else if (grant.connectorId === connectorId) grants.set(grant.groupId, name);
  }
  const mentions = mentionsOf(policies);
  const attributes = new Set(mentions.attributes.map(({ id }) => id));
  const mapped = new Map(Object.entries(claims).map(([claim, type]) => [attributeOf(claim), { claim, type }]));
  return {
    connectorId,
    grants,
    policies: textsOf(policies),
    empty: policies.size === 0,
    groups: new Set(mentions.groups.map(({ id }) => id)),
    matches: [...policies.values()].some(({ tree }) => patternsIn(tree) > 0),
    namesUsers: mentions.users.length > 0,
    claims: new Map([...mapped].filter(([attribute]) => attributes.has(attribute))),
    unmapped: [...attributes].filter((attribute) => attribute.startsWith('claim_') && !mapped.has(attribute)),
  };
}
