import { type ClaimMapping, assertClaimNames, getAttribute } from './claims.ts';

/** The actions on a connector. `connect` decides whether a user sees the connector. */
export const ACTIONS = ['connect', 'list_tools', 'call_tool', 'get_prompt', 'read_resource'] as const;

/** One action of the schema. */
export type PolicyAction = (typeof ACTIONS)[number];

/**
 * Writes the published Cedar schema in Cedar's schema language. Policies are validated against it
 * in strict mode. All claims are optional, so a policy must test `principal has claim_email` before
 * it reads the claim.
 *
 * Tools, prompts and resources have the names of the upstream server. A policy set belongs to one
 * connector, so these names are unambiguous.
 */
export function formatSchema(claims: ClaimMapping): string {
  assertClaimNames(claims);
  const attributes = Object.entries(claims)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => `  ${getAttribute(name)}?: ${type},\n`)
    .join('');
  return `entity Group in [Group];
entity User in [Group] {
${attributes}};
entity Connector;
entity Tool in [Connector] { name: String };
entity Prompt in [Connector] { name: String };
entity Resource in [Connector] { uri: String };
action connect, list_tools appliesTo { principal: [User], resource: [Connector] };
action call_tool appliesTo { principal: [User], resource: [Tool] };
action get_prompt appliesTo { principal: [User], resource: [Prompt] };
action read_resource appliesTo { principal: [User], resource: [Resource] };
`;
}
