import { answerOf, type Manager, type Schemas } from './manager.ts';
import { isId, only } from './named.ts';
import { collect, type Collected, type Wanted } from './pages.ts';

type Connection = Schemas['Connection'];

/** Everybody's connections to a connector, in the order in which they were made. @param connector id or name */
export async function listConnections(
  manager: Manager,
  gateway: string,
  connector: string,
  wanted: Wanted,
): Promise<Collected<Connection>> {
  const path = { gateway_id: gateway, id: isId(connector) ? connector : await idOf(manager, gateway, connector) };
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

async function idOf(manager: Manager, gateway: string, name: string): Promise<string> {
  const { items } = await collect({ limit: 0, all: true }, (page) =>
    answerOf(
      manager,
      manager.api.GET('/v1/gateways/{gateway_id}/connectors', {
        params: { path: { gateway_id: gateway }, query: page },
      }),
      { fields: { items: 'list' } },
    ),
  );
  const named = items.filter((one) => one.name === name || one.slug === name);
  return only('connector', name, named, ({ endpoint }) => endpoint, 'gatehouse admin connectors list').id;
}
