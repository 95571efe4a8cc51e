import { type ClaimMapping, attributeOf } from './claims.ts';
import { parseDocument } from './document.ts';
import { type Mentions, mentionsOf } from './mentions.ts';

/** The policies of one connector, ready to decide. It speaks about this connector only and is never merged with another. */
export interface PolicySet {
  readonly connectorId: string;
  readonly policies: ReadonlyMap<string, string>;
  readonly mentions: Mentions;
  /** Attribute of the principal -> claim of the token and its type; only those that a policy mentions. */
  readonly claims: ReadonlyMap<string, { readonly claim: string; readonly type: ClaimMapping[string] }>;
}

/**
 * Reads a connector's document (from the directory or from a gateway's snapshot) into a set that `decide` takes.
 *
 * @throws DocumentError when the text does not parse
 */
export function preparePolicySet(connectorId: string, document: string, claims: ClaimMapping): PolicySet {
  const policies = parseDocument(document);
  const mentions = mentionsOf(policies);
  const mentioned = Object.entries(claims)
    .map(([claim, type]) => [attributeOf(claim), { claim, type }] as const)
    .filter(([attribute]) => mentions.attributes.has(attribute));
  return { connectorId, policies, mentions, claims: new Map(mentioned) };
}
