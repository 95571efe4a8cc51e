import { pageParameters } from '@gatehouse/service-kit/paging';
import { filterText } from '@gatehouse/service-kit/text';
import { z } from 'zod';
import type { StoredToolChange } from './tool-changes.repository.ts';

/** Most changes on a page; each has two definitions of at most 64 KiB. */
const [DEFAULT_PAGE, LARGEST_PAGE] = [20, 50];

const status = () => z.enum(['pending', 'accepted', 'rejected']);

/** The path of one change. */
export const ToolChangePath = z.strictObject({ id: z.guid('must be a UUID').toLowerCase() });
export type ToolChangePath = z.infer<typeof ToolChangePath>;

/** The query of `GET /v1/admin/tool-changes`. */
export const ToolChangeListQuery = z.strictObject({
  status: status().optional().describe('Only changes with this status'),
  connector_id: filterText().optional().describe('Only changes of this connector'),
  ...pageParameters(DEFAULT_PAGE, LARGEST_PAGE),
});
export type ToolChangeListQuery = z.infer<typeof ToolChangeListQuery>;

const definition = () => z.record(z.string(), z.unknown());

/** A changed or new definition of a tool. */
export const ToolChange = z
  .object({
    id: z.guid(),
    connector_id: z.string().describe('Id of the connector'),
    connector_name: z.string().optional().describe('Name of the connector; absent if it exists no more'),
    tool: z.string().meta({ description: 'The server’s own name of the tool', examples: ['create_issue'] }),
    kind: z
      .enum(['changed', 'new'])
      .describe('`new`: the tool had no accepted definition; `changed`: it had the old definition'),
    status: status().describe(
      '`pending`: no administrator has decided. Where tools are quarantined, only `accepted` definitions are offered. `rejected` ones are never offered while tools are pinned',
    ),
    hash: z.string().describe('SHA-256 of the new definition as canonical JSON (RFC 8785), in lower-case hex'),
    old_definition: definition()
      .optional()
      .describe('The accepted definition when the new one came; absent for a new tool, and if it is too large'),
    new_definition: definition()
      .optional()
      .describe('The new definition, as the server sent it; absent if it has more than 65,536 bytes'),
    definition_bytes: z.int().min(0).describe('Bytes of the new definition as canonical JSON'),
    superseded: z
      .int()
      .min(0)
      .describe('Earlier undecided definitions of the tool that were dropped, since at most five of a tool are kept'),
    first_seen_at: z.iso.datetime(),
    last_seen_at: z.iso
      .datetime()
      .describe('Time of the last list with this definition, while it is undecided; up to five minutes late'),
    decided_at: z.iso.datetime().optional().describe('Time of the decision'),
    decided_by: z
      .object({ issuer: z.string(), subject: z.string() })
      .optional()
      .describe('The administrator, as the token says'),
  })
  .meta({ id: 'ToolChange', description: 'A changed or new definition of a tool of a connector' });
export type ToolChange = z.infer<typeof ToolChange>;

/** A page of changes. */
export const ToolChangePage = z
  .object({ items: z.array(ToolChange), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'ToolChangePage', description: 'Changes of tools, newest first' });
export type ToolChangePage = z.infer<typeof ToolChangePage>;

/** Converts a stored change for clients. @param connector_name undefined without the connector */
export const toToolChange = (change: StoredToolChange, connector_name: string | undefined): ToolChange => ({
  id: change.id,
  connector_id: change.connector_id,
  ...(connector_name !== undefined && { connector_name }),
  tool: change.tool,
  kind: change.replaced_id === null ? 'new' : 'changed',
  status: change.status,
  hash: change.hash,
  ...(change.replaced_definition !== null && { old_definition: parseDefinition(change.replaced_definition) }),
  ...(change.definition !== null && { new_definition: parseDefinition(change.definition) }),
  definition_bytes: change.definition_bytes,
  superseded: change.superseded,
  first_seen_at: change.first_seen_at,
  last_seen_at: change.last_seen_at,
  ...(change.decided_at !== null && { decided_at: change.decided_at }),
  ...(change.decided_issuer !== null &&
    change.decided_subject !== null && {
      decided_by: { issuer: change.decided_issuer, subject: change.decided_subject },
    }),
});

const parseDefinition = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
