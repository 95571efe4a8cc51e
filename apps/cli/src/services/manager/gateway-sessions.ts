import type { components } from '@gatehouse/contracts-connector-gateway/schema';
import { createGatewayApi } from './gateway-api.ts';
import { type Manager, readResponse } from './manager.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { findUser } from './users.ts';

/** An open session of an MCP client. */
export type McpSession = components['schemas']['McpSession'];

/** Filters of sessions. */
export interface SessionFilter {
  readonly issuer?: string;
  readonly subject?: string;
  readonly user_id?: string;
}

const LIST = 'gatehouse admin gateways sessions list';

/** Lists the open sessions at a connector gateway, newest first. */
export const listSessions = (
  gateway: Manager,
  filter: SessionFilter,
  wanted: ListOptions,
): Promise<Collected<McpSession>> =>
  collect(wanted, (page) =>
    readResponse(
      gateway,
      createGatewayApi(gateway).GET('/v1/admin/sessions', { params: { query: { ...filter, ...page } } }),
      {
        fields: { items: 'list' },
      },
    ),
  );

/** Lists the open sessions of one user. @param text id, user name or e-mail */
export async function listSessionsOfUser(
  manager: Manager,
  gateway: Manager,
  text: string,
  wanted: ListOptions,
): Promise<Collected<McpSession>> {
  const { id } = await findUser(manager, text);
  return listSessions(gateway, { user_id: id }, wanted);
}

/** Ends a session on all replicas. */
export async function endSession(gateway: Manager, id: string): Promise<void> {
  await readResponse(
    gateway,
    createGatewayApi(gateway).DELETE('/v1/admin/sessions/{id}', { params: { path: { id } } }),
    {
      list: LIST,
    },
  );
}
