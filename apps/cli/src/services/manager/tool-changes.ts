import type { components } from '@gatehouse/contracts-connector-gateway/schema';
import { createGatewayApi } from './gateway-api.ts';
import { type Manager, readResponse } from './manager.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';

/** A changed or new definition of a pinned tool. */
export type ToolChange = components['schemas']['ToolChange'];

/** Filters of changes. */
export interface ToolChangeFilter {
  readonly status?: ToolChange['status'];
  readonly connector_id?: string;
}

/** A decision about a change. */
export type ToolDecision = 'accept' | 'reject';

const LIST = 'gatehouse admin gateways tool-changes list';

/** Lists the changes of pinned tools at a connector gateway, newest first. */
export const listToolChanges = (
  gateway: Manager,
  filter: ToolChangeFilter,
  wanted: ListOptions,
): Promise<Collected<ToolChange>> =>
  collect(wanted, (page) =>
    readResponse(
      gateway,
      createGatewayApi(gateway).GET('/v1/admin/tool-changes', { params: { query: { ...filter, ...page } } }),
      { fields: { items: 'list' } },
    ),
  );

/** Accepts or rejects a change for all users and replicas. */
export async function decideToolChange(gateway: Manager, decision: ToolDecision, id: string): Promise<ToolChange> {
  const api = createGatewayApi(gateway);
  const init = { params: { path: { id } } };
  const call =
    decision === 'accept'
      ? api.POST('/v1/admin/tool-changes/{id}/accept', init)
      : api.POST('/v1/admin/tool-changes/{id}/reject', init);
  return readResponse(gateway, call, { fields: { tool: 'text' }, list: LIST });
}
