import { z } from 'zod';
import { uuid } from '../../validation/text.ts';
import { ACTIONS } from '@gatehouse/policy/schema';
import { CLAIM_TYPES } from '@gatehouse/policy/claims';
import { MAX_GRANTS } from '@gatehouse/policy/grants';
import { atMostEntries } from '@gatehouse/service-kit/schema-check';
import { getDocument, type StoredPolicy } from '../connectors/policies.repository.ts';

/** Maximum number of claims of a simulated token. */
const MAX_CLAIMS = 1_000;

/** A group by its id, its name and its display name. */
export const GroupRef = z
  .object({
    id: z.string(),
    name: z.string().describe('Name of the group as in `GET /v1/groups`; empty if it is unknown'),
    display_name: z
      .string()
      .optional()
      .describe('Display name of the group; absent if it is unknown, as in records of deleted groups'),
  })
  .meta({ id: 'GroupRef', description: 'A group of the directory' });
export type GroupRef = z.infer<typeof GroupRef>;

/** The policy of a connector. */
export const ConnectorPolicy = z
  .object({
    connector_id: z.guid(),
    mode: z
      .enum(['structured', 'cedar'])
      .describe('`structured`: the document is compiled from the granted groups; `cedar`: an administrator wrote it'),
    document: z.string().describe('The Cedar document; an empty document denies all requests'),
    granted_user_groups: z
      .array(GroupRef)
      .describe('Groups with access; in the mode `cedar` the groups that get access in the mode `structured`'),
  })
  .meta({ id: 'ConnectorPolicy', description: 'The rules that decide which users may use a connector' });
export type ConnectorPolicy = z.infer<typeof ConnectorPolicy>;

/** The complete list of granted groups. */
export const PolicyGroupsWrite = z
  .strictObject({
    group_ids: z.array(uuid()).max(MAX_GRANTS).describe('All groups with access to the connector'),
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
      'Cedar policies that pass strict validation against the schema of `GET /v1/policy-schema`: without compiled grants at most 64 KiB (else 413) and 250 policies',
    ),
  })
  .meta({ id: 'PolicyDocumentWrite', description: 'Replaces the Cedar document' });
export type PolicyDocumentWrite = z.infer<typeof PolicyDocumentWrite>;

const ACTIONS_ON_RESOURCES: readonly string[] = ['call_tool', 'get_prompt', 'read_resource'];

/** A simulated request. */
export const PolicySimulation = z
  .strictObject({
    user_id: uuid().optional().describe('A user of the directory, instead of `group_ids`'),
    group_ids: z
      .array(uuid())
      .max(MAX_GRANTS)
      .optional()
      .describe('Groups of a hypothetical user, instead of `user_id`; the groups that contain them count too'),
    claims: z
      .record(z.string(), z.unknown())
      .check(atMostEntries(MAX_CLAIMS))
      .optional()
      .describe('Claims of the token; also for `user_id`, which implies no claims'),
    action: z.enum(ACTIONS),
    resource: text
      .max(MAX_NAMED)
      .optional()
      .describe('Upstream name of the tool or prompt, or URI of the resource; refused for `connect` and `list_tools`'),
    document: text.optional().describe('Cedar document to use instead of the policy'),
  })
  .refine(({ user_id, group_ids }) => (user_id === undefined) !== (group_ids === undefined), {
    path: ['user_id'],
    error: 'exactly one of user_id and group_ids is required',
  })
  .refine(({ action, resource }) => ACTIONS_ON_RESOURCES.includes(action) === (resource !== undefined), {
    path: ['resource'],
    error: 'is required for call_tool, get_prompt and read_resource, and refused for other actions',
  })
  .meta({
    id: 'PolicySimulation',
    description: 'A request to simulate',
    examples: [{ user_id: '0197a3c2-04f8-7996-ada7-63b7a969b102', action: 'call_tool', resource: 'create_issue' }],
  });
export type PolicySimulation = z.infer<typeof PolicySimulation>;

/** The outcome of a simulation. */
export const PolicyVerdict = z
  .object({
    decision: z.enum(['allow', 'deny']),
    policies: z
      .array(z.string())
      .describe(
        'Names of the policies that determined the decision: `@id`, or `policy<n>`; empty if no policy permits',
      ),
    errors: z.array(z.string()).describe('Errors of the evaluation; with errors the decision is `deny`'),
    group_ids: z.array(z.guid()).describe('The groups of the user, with the groups that contain them'),
  })
  .meta({ id: 'PolicyVerdict', description: 'The outcome of a policy simulation' });
export type PolicyVerdict = z.infer<typeof PolicyVerdict>;

/** The schema of policies. */
export const PolicySchema = z
  .object({
    schema: z.string().describe('The schema in the Cedar schema language'),
    claims: z
      .record(z.string(), z.enum(CLAIM_TYPES))
      .describe('Type of each claim of the token; policies read a claim as `principal.claim_<name>`'),
  })
  .meta({ id: 'PolicySchema', description: 'The schema that policies are validated against' });
export type PolicySchema = z.infer<typeof PolicySchema>;

/** The path of a granted group. */
export const GrantPath = z.strictObject({ id: uuid(), group_id: uuid() });
export type GrantPath = z.infer<typeof GrantPath>;

/** Converts a stored policy to its API representation. */
export const toConnectorPolicy = (policy: StoredPolicy): ConnectorPolicy => ({
  connector_id: policy.connector_id,
  mode: policy.mode,
  document: getDocument(policy),
  granted_user_groups: policy.granted,
});
