import { connectorId, type ConnectorRef } from './connectors.ts';
import { answerOf, type Manager, type Schemas } from './manager.ts';
import { collect, type Collected, type Wanted } from './pages.ts';

type Connection = Schemas['Connection'];

/** Everybody's connections to a connector, in the order in which they were made. */
export async function listConnections(
  manager: Manager,
  ref: ConnectorRef,
  wanted: Wanted,
): Promise<Collected<Connection>> {
  const path = { gateway_id: ref.gateway, id: await connectorId(manager, ref) };
  return collect(wanted, (page) =>
    answerOf(
      manager,
      manager.api.GET('/v1/gateways/{gateway_id}/connectors/{id}/connections', { params: { path, query: page } }),
      { fields: { items: 'list' } },
    ),
  );
}

/** Anybody's connection. */
export const getConnection = (manager: Manager, id: string): Promise<Connection> =>
  answerOf(manager, manager.api.GET('/v1/connections/{id}', { params: { path: { id } } }), { fields: { id: 'text' } });
