import type * as cedar from '@cedar-policy/cedar-wasm/nodejs';
import { type ClaimMapping, getAttribute } from './claims.ts';
import { parseDocument } from './document.ts';
import { combineGrants } from './grants.ts';
import { collectMentions, countPatternCharacters } from './mentions.ts';

/**
 * The policies of one connector, ready to decide. A set is about this connector only and is never
 * merged with another set.
 */
export interface PolicySet {
  readonly connectorId: string;
  /** The policies for Cedar, by name: text, or JSON for the combined grants. */
  readonly policies: Readonly<Record<string, string | cedar.PolicyJson>>;
  /** The compiled grants of this connector, which Cedar receives as one policy. */
  readonly grants: CombinedGrants | undefined;
  /** The groups that the policies mention. */
  readonly groups: readonly string[];
  /** Group -> its position in `groups`. */
  readonly positionOfGroup: ReadonlyMap<string, number>;
  /** Whether a policy mentions a user by id. */
  readonly mentionsUsers: boolean;
  /** Whether a policy mentions a tool, prompt or resource: by id, or by its name or URI. */
  readonly mentionsResources: boolean;
  /** Whether a policy contains a `like` pattern. The time of `like` grows with the text. */
  readonly hasPatterns: boolean;
  /** Attribute of the principal -> claim of the token and its type, for the mentioned claims. */
  readonly claims: ReadonlyMap<string, { readonly claim: string; readonly type: ClaimMapping[string] }>;
  /** Mentioned claims that have no mapping (any more): each decision is a deny. */
  readonly unmapped: readonly string[];
}

/** Many compiled grants as one policy of Cedar. */
export interface CombinedGrants {
  /** The name of the one policy: the name of one of the grants, hence unique in the document. */
  readonly name: string;
  /** Group -> name of its grant in the document. */
  readonly nameByGroup: ReadonlyMap<string, string>;
}

/**
 * Converts a connector's document (from the database or from a gateway snapshot) into a set.
 *
 * Cedar evaluates each policy of a set, so a thousand granted groups as a thousand policies take
 * 2 ms. As one policy with a list of groups they take 0.5 ms. The meaning is the same (see
 * docs/decisions/0110-cedar-decides-alone.md).
 *
 * @throws DocumentError when the text does not parse or exceeds a limit
 */
export function preparePolicySet(connectorId: string, document: string, claims: ClaimMapping): PolicySet {
  const named = parseDocument(document);
  const mentions = collectMentions(named);
  const policies = new Map<string, string | cedar.PolicyJson>();
  const nameByGroup = new Map<string, string>();
  for (const [name, { text, grant }] of named) {
    if (grant?.connectorId === connectorId) nameByGroup.set(grant.groupId, name);
    else policies.set(name, text);
  }
  const [combined] = nameByGroup.values();
  if (combined !== undefined) policies.set(combined, combineGrants(connectorId, [...nameByGroup.keys()]));
  const groups = mentions.groups.map(({ id }) => id);
  const attributes = new Set(mentions.attributes.map(({ id }) => id));
  const mapped = new Map(Object.entries(claims).map(([claim, type]) => [getAttribute(claim), { claim, type }]));
  return {
    connectorId,
    policies: Object.fromEntries(policies),
    grants: combined === undefined ? undefined : { name: combined, nameByGroup },
    groups,
    positionOfGroup: new Map(groups.map((id, position) => [id, position])),
    mentionsUsers: mentions.users.length > 0,
    mentionsResources: mentions.resources.length > 0 || attributes.has('name') || attributes.has('uri'),
    hasPatterns: [...named.values()].some(({ tree }) => countPatternCharacters(tree) > 0),
    claims: new Map([...mapped].filter(([attribute]) => attributes.has(attribute))),
    unmapped: [...attributes].filter((attribute) => attribute.startsWith('claim_') && !mapped.has(attribute)),
  };
}
