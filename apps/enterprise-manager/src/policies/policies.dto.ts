import { z } from 'zod';
import { uuid } from '../directory/text.ts';
import { documentOf, type StoredPolicy } from './policies.repository.ts';

/** Most groups that one policy may grant. */
export const MAX_GRANTED_GROUPS = 1_000;

/** A group by id and the name people see. */
export const GroupRef = z
  .object({ id: z.string(), name: z.string() })
  .meta({ id: 'GroupRef', description: 'A group of the directory' });

/** Who may use a connector. */
export const ConnectorPolicy = z
  .object({
    connector_id: z.guid(),
    mode: z
      .enum(['structured', 'cedar'])
      .describe('`structured`: the document is made from the granted groups; `cedar`: an administrator wrote it'),
    document: z.string().describe('The Cedar document that decides; an empty one denies everybody'),
    granted_user_groups: z.array(GroupRef),
  })
  .meta({ id: 'ConnectorPolicy', description: 'Who may use a connector' });
export type ConnectorPolicy = z.infer<typeof ConnectorPolicy>;

/** The groups that a connector shall be granted to. */
export const PolicyGroupsWrite = z
  .strictObject({
    group_ids: z.array(uuid()).max(MAX_GRANTED_GROUPS).describe('All groups that may use the connector'),
  })
  .meta({ id: 'PolicyGroupsWrite', description: 'Replaces the granted groups' });
export type PolicyGroupsWrite = z.infer<typeof PolicyGroupsWrite>;

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
