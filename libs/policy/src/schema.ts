import { type ClaimMapping, assertClaimNames, attributeOf } from './claims.ts';

/**
 * What a person can ask of a connector. `connect` decides whether the connector is visible at all.
 */
export const ACTIONS = ['connect', 'list_tools', 'call_tool', 'get_prompt', 'read_resource'] as const;

/** One of the five actions of the schema. */
export type PolicyAction = (typeof ACTIONS)[number];

/**
 * The published Cedar schema, in Cedar's own schema language. Policies are validated against it in
 * strict mode, so every claim is optional: a policy must ask `principal has claim_email` before it
 * reads one.
 *
 * Tools, prompts and resources are named as the upstream server names them; a policy set belongs to
 * one connector, so the name alone is unambiguous.
 */
export function schemaText(claims: ClaimMapping): string {
  assertClaimNames(claims);
  const attributes = Object.entries(claims)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => `  ${attributeOf(name)}?: ${type},\n`)
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
