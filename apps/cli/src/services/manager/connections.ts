import { findConnector, listConnectors, type ConnectorRef } from './connectors.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { findUser } from './users.ts';

type Connection = Schemas['Connection'];
type Connector = Pick<Schemas['Connector'], 'id' | 'slug'>;

/** A connection with the slug of its connector. */
export type NamedConnection = Connection & { readonly connector: string };

/** The most concurrent requests for the connections of one connector. */
const AT_ONCE = 8;

function listOfConnector(
  manager: Manager,
  gateway: string,
  { id, slug }: Connector,
  user: string | undefined,
  wanted: ListOptions,
): Promise<Collected<NamedConnection>> {
  const path = { gateway_id: gateway, id };
  const filter = user === undefined ? {} : { user_id: user };
  return collect(wanted, async (page) => {
    const { items, ...cursors } = await readResponse(
      manager,
      manager.api.GET('/v1/gateways/{gateway_id}/connectors/{id}/connections', {
        params: { path, query: { ...filter, ...page } },
      }),
      { fields: { items: 'list' } },
    );
    return { items: items.map((item) => ({ ...item, connector: slug })), ...cursors };
  });
}

/**
 * Lists the connections to a connector in the order of their creation.
 * @param user id, user name or e-mail of a user, to list the connections of this user only
 */
export async function listConnections(
  manager: Manager,
  ref: ConnectorRef,
  user: string | undefined,
  wanted: ListOptions,
): Promise<Collected<NamedConnection>> {
  const id = user === undefined ? undefined : (await findUser(manager, user)).id;
  return listOfConnector(manager, ref.gateway, await findConnector(manager, ref), id, wanted);
}

/**
 * Lists the connections of a user to every connector of a gateway.
 * @param user id, user name or e-mail
 */
export async function listConnectionsOfUser(
  manager: Manager,
  gateway: string,
  user: string,
  wanted: ListOptions,
): Promise<Collected<NamedConnection>> {
  const { id } = await findUser(manager, user);
  const waiting = (await listConnectors(manager, gateway, { limit: 0, all: true })).items.entries();
  const found: NamedConnection[][] = [];
  const ask = async (): Promise<void> => {
    for (const [at, connector] of waiting)
      found[at] = (await listOfConnector(manager, gateway, connector, id, { limit: 1, all: false })).items.slice();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  const items = found.flat();
  const shown = wanted.all ? items : items.slice(0, wanted.limit);
  return { items: shown, more: shown.length < items.length };
}

/** Reads the connection of any user. */
export const getConnection = (manager: Manager, id: string): Promise<Connection> =>
  readResponse(manager, manager.api.GET('/v1/connections/{id}', { params: { path: { id } } }), {
    fields: { id: 'text' },
  });
