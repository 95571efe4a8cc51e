import { pageParameters } from '@gatehouse/service-kit/paging';
import { filterText } from '@gatehouse/service-kit/text';
import { z } from 'zod';
import type { AdministeredSession } from './administered-sessions.repository.ts';

/** The path of one session. */
export const SessionPath = z.strictObject({ id: z.guid('must be a UUID').toLowerCase() });
export type SessionPath = z.infer<typeof SessionPath>;

/** The query of `GET /v1/admin/sessions`. */
export const SessionListQuery = z.strictObject({
  issuer: filterText().optional().describe('Issuer of the user’s token'),
  subject: filterText().optional().describe('Subject of the user’s token'),
  user_id: filterText().optional().describe('Id of the user in the directory'),
  ...pageParameters(),
});
export type SessionListQuery = z.infer<typeof SessionListQuery>;

/** An open session. */
export const McpSession = z
  .object({
    id: z.guid().describe('Id of the session for administrators; its client uses another one, which is a secret'),
    issuer: z.string().describe('Issuer of the user’s token'),
    subject: z.string().describe('Subject of the user’s token; `issuer` and `subject` identify the user'),
    user_id: z.string().optional().describe('Id of the user in the directory'),
    client_name: z
      .string()
      .optional()
      .meta({ description: 'Name of the client, as it calls itself', examples: ['inspector'] }),
    client_version: z.string().optional().describe('Version of the client, as it says'),
    protocol_version: z
      .string()
      .optional()
      .meta({ description: 'Negotiated revision of MCP', examples: ['2025-11-25'] }),
    connector: z
      .string()
      .optional()
      .meta({
        description: 'Slug of the connector of `/mcp/{slug}`; absent for the endpoint of all connectors',
        examples: ['github'],
      }),
    mode: z.enum(['search']).optional().describe('Mode of the endpoint; absent for all tools'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().describe('Time of the last use, up to ten seconds late'),
    open_requests: z
      .int()
      .min(0)
      .optional()
      .describe('Requests and event streams of the session that this replica serves now; absent if it serves none'),
  })
  .meta({ id: 'McpSession', description: 'An open session of an MCP client' });
export type McpSession = z.infer<typeof McpSession>;

/** A page of sessions. */
export const McpSessionPage = z
  .object({ items: z.array(McpSession), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'McpSessionPage', description: 'Open sessions, newest first' });
export type McpSessionPage = z.infer<typeof McpSessionPage>;

/** Converts a stored session for clients. @param open_requests on this replica */
export const toMcpSession = (session: AdministeredSession, open_requests: number | undefined): McpSession => ({
  id: session.public_id,
  issuer: session.issuer,
  subject: session.subject,
  ...(session.user_id !== null && { user_id: session.user_id }),
  ...(session.client_name !== null && { client_name: session.client_name }),
  ...(session.client_version !== null && { client_version: session.client_version }),
  ...(session.revision !== null && { protocol_version: session.revision }),
  ...(session.slug !== null && { connector: session.slug }),
  ...(session.mode !== null && { mode: session.mode }),
  created_at: session.created_at,
  last_used_at: session.used_at,
  ...(open_requests !== undefined && { open_requests }),
});
