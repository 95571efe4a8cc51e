import { z } from 'zod';
import { uuid } from '../../validation/text.ts';
import { ACTIONS } from '@gatehouse/policy/schema';
import { CLAIM_TYPES } from '@gatehouse/policy/claims';
import { MAX_GRANTS } from '@gatehouse/policy/grants';
import { atMostEntries } from '@gatehouse/service-kit/schema-check';
import { documentOf, type StoredPolicy } from '../connectors/policies.repository.ts';

/** Most claims of a simulated token. */
const MAX_CLAIMS = 1_000;

/** A group by its id, its name and its display name. */
export const GroupRef = z
  .object({
    id: z.string(),
    name: z.string().describe('Name of the group, as `GET /v1/groups` has it; empty when it is not known'),
    display_name: z
      .string()
      .optional()
      .describe('Display name of the group; absent when it is not known, as in records of groups that are gone'),
  })
  .meta({ id: 'GroupRef', description: 'A group of the directory' });
export type GroupRef = z.infer<typeof GroupRef>;

/** Who may use a connector. */
export const ConnectorPolicy = z
  .object({
    connector_id: z.guid(),
    mode: z
      .enum(['structured', 'cedar'])
      .describe('`structured`: the document is made from the granted groups; `cedar`: an administrator wrote it'),
    document: z.string().describe('The Cedar document that decides; an empty one denies everybody'),
    granted_user_groups: z
      .array(GroupRef)
      .describe('Groups that are granted the connector; in mode `cedar` those that come back with mode `structured`'),
  })
  .meta({ id: 'ConnectorPolicy', description: 'Who may use a connector' });
export type ConnectorPolicy = z.infer<typeof ConnectorPolicy>;

/** The groups that a connector shall be granted to. */
export const PolicyGroupsWrite = z
  .strictObject({
    group_ids: z.array(uuid()).max(MAX_GRANTS).describe('All groups that may use the connector'),
  })
  .meta({ id: 'PolicyGroupsWrite', description: 'Replaces the granted groups' });
export type PolicyGroupsWrite = z.infer<typeof PolicyGroupsWrite>;

const MAX_NAMED = 8_192;
const text = z
  .string()
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be text without null characters');

/** A Cedar document. */
export const PolicyDocumentWrite = z
  .strictObject({
    document: text.describe(
      'Cedar policies that pass strict validation against the schema of `GET /v1/policy-schema`: at most 64 KiB beside grants, else 413, and 250 policies beside grants',
    ),
  })
  .meta({ id: 'PolicyDocumentWrite', description: 'Replaces the Cedar document' });
export type PolicyDocumentWrite = z.infer<typeof PolicyDocumentWrite>;

const NAMING: readonly string[] = ['call_tool', 'get_prompt', 'read_resource'];

/** Who asks for what. */
export const PolicySimulation = z
  .strictObject({
    user_id: uuid().optional().describe('A person of the directory; instead of `group_ids`'),
    group_ids: z
      .array(uuid())
      .max(MAX_GRANTS)
      .optional()
      .describe('Groups that somebody is in, with the groups that hold them; instead of `user_id`'),
    claims: z
      .record(z.string(), z.unknown())
      .check(atMostEntries(MAX_CLAIMS))
      .optional()
      .describe('Claims of the token; a person of the directory has none here of their own'),
    action: z.enum(ACTIONS),
    resource: text
      .max(MAX_NAMED)
      .optional()
      .describe(
        'Name of the tool or prompt, or URI of the resource, as the upstream names it; not for `connect` and `list_tools`',
      ),
    document: text.optional().describe('Try this Cedar document instead of the policy'),
  })
  .refine(({ user_id, group_ids }) => (user_id === undefined) !== (group_ids === undefined), {
    path: ['user_id'],
    error: 'exactly one of user_id and group_ids is needed',
  })
  .refine(({ action, resource }) => NAMING.includes(action) === (resource !== undefined), {
    path: ['resource'],
    error: 'is needed for call_tool, get_prompt and read_resource, and for nothing else',
  })
  .meta({
    id: 'PolicySimulation',
    description: 'A question to a policy',
    examples: [{ user_id: '0197a3c2-04f8-7996-ada7-63b7a969b102', action: 'call_tool', resource: 'create_issue' }],
  });
export type PolicySimulation = z.infer<typeof PolicySimulation>;

/** What the policy answers. */
export const PolicyVerdict = z
  .object({
    decision: z.enum(['allow', 'deny']),
    policies: z
      .array(z.string())
      .describe('Names of the policies that it rests on: `@id`, else `policy<n>`; none when nothing permits'),
    errors: z.array(z.string()).describe('What kept the evaluation from being sound; then it is a deny'),
    group_ids: z.array(z.guid()).describe('The groups that count, with those that hold them'),
  })
  .meta({ id: 'PolicyVerdict', description: 'The answer of a policy' });
export type PolicyVerdict = z.infer<typeof PolicyVerdict>;

/** What policies can be written about. */
export const PolicySchema = z
  .object({
    schema: z.string().describe('The schema in the language of Cedar'),
    claims: z
      .record(z.string(), z.enum(CLAIM_TYPES))
      .describe('Claim of the token -> type; policies read it as `principal.claim_<name>`'),
  })
  .meta({ id: 'PolicySchema', description: 'The schema that policies are validated against' });
export type PolicySchema = z.infer<typeof PolicySchema>;

/** The path of a granted group. */
export const GrantPath = z.strictObject({ id: uuid(), group_id: uuid() });
export type GrantPath = z.infer<typeof GrantPath>;

/** A stored policy as administrators see it. */
export const toConnectorPolicy = (policy: StoredPolicy): ConnectorPolicy => ({
  connector_id: policy.connector_id,
  mode: policy.mode,
  document: documentOf(policy),
  granted_user_groups: policy.granted,
});
