import type { ConnectorHealth } from './connector-health.ts';
import { type ConnectorRef, namedConnector } from './connectors.ts';
import { readResponse, type Manager, type Schemas } from './manager.ts';
import { isId } from './named.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { ConflictError } from '../../errors/cli-error.ts';

type Connection = Schemas['Connection'];

/**
 * A connector that the caller may use, with the caller's settings. Without a connection it is not
 * enabled.
 */
export interface OwnConnector {
  readonly connector: Schemas['Connector'];
  readonly connection?: Connection;
  /** From the gateway's probes; absent when the gateway was not asked or has not probed yet. */
  readonly health?: ConnectorHealth;
}

/** The enabled tools: the default, and the exceptions from it. */
export interface ToolSwitches {
  readonly on: boolean | undefined;
  readonly except: readonly string[] | undefined;
}

const LIST = 'gatehouse connectors list';

/** Lists the connectors that the caller may use, with the caller's settings. */
export async function ownConnectors(
  manager: Manager,
  gateway: string,
  wanted: ListOptions,
): Promise<Collected<OwnConnector>> {
  const { items, more } = await entitled(manager, gateway, wanted);
  const connections = await ownConnections(manager, gateway);
  return { items: items.map((connector) => withConnection(connector, connections)), more };
}

/**
 * Finds a connector by id, slug or name.
 * @throws CliError when the caller may not use such a connector
 */
export async function ownConnector(manager: Manager, { connector, gateway }: ConnectorRef): Promise<OwnConnector> {
  return withConnection(await findConnector(manager, connector, gateway), await ownConnections(manager, gateway));
}

/** Enables or disables a connector for the caller. */
export async function switchConnector(manager: Manager, ref: ConnectorRef, enabled: boolean): Promise<OwnConnector> {
  const { connector, connection } = await ownConnector(manager, ref);
  if (connection === undefined) {
    if (!enabled) return { connector };
    const body = { gateway_id: connector.gateway_id, connector_id: connector.id };
    return { connector, connection: await readResponse(manager, manager.api.POST('/v1/me/connections', { body })) };
  }
  const params = { path: { id: connection.id } };
  const call = manager.api.PUT('/v1/me/connections/{id}/enabled', { params, body: { enabled } });
  return { connector, connection: await readResponse(manager, call) };
}

/**
 * Sets the enabled tools; omitted settings stay.
 * @throws ConflictError for a connector that is not enabled
 */
export async function switchTools(manager: Manager, ref: ConnectorRef, tools: ToolSwitches): Promise<OwnConnector> {
  const { connector, connection } = await ownConnector(manager, ref);
  if (connection === undefined) {
    throw new ConflictError(`${connector.slug} is not enabled for you`, [
      `gatehouse connectors enable ${connector.slug}`,
    ]);
  }
  const body = {
    tools_enabled_by_default: tools.on ?? connection.tools_enabled_by_default,
    tools_exception_list: [...(tools.except ?? connection.tools_exception_list)],
  };
  const params = { path: { id: connection.id } };
  const call = manager.api.PUT('/v1/me/connections/{id}/tool-policy', { params, body });
  return { connector, connection: await readResponse(manager, call) };
}

const withConnection = (
  connector: Schemas['Connector'],
  connections: ReadonlyMap<string, Connection>,
): OwnConnector => {
  const connection = connections.get(connector.id);
  return { connector, ...(connection && { connection }) };
};

async function findConnector(manager: Manager, text: string, gateway: string): Promise<Schemas['Connector']> {
  if (isId(text)) {
    const params = { path: { gateway_id: gateway, id: text } };
    return readResponse(manager, manager.api.GET('/v1/me/gateways/{gateway_id}/connectors/{id}', { params }), {
      fields: { id: 'text' },
      list: LIST,
    });
  }
  const { items } = await entitled(manager, gateway, { limit: 0, all: true });
  return namedConnector(items, text, LIST);
}

const entitled = (manager: Manager, gateway: string, wanted: ListOptions): Promise<Collected<Schemas['Connector']>> =>
  collect(wanted, (page) =>
    readResponse(
      manager,
      manager.api.GET('/v1/me/gateways/{gateway_id}/connectors', {
        params: { path: { gateway_id: gateway }, query: page },
      }),
      { fields: { items: 'list' } },
    ),
  );

/** The caller's connections by connector. */
async function ownConnections(manager: Manager, gateway: string): Promise<ReadonlyMap<string, Connection>> {
  const { items } = await collect({ limit: 0, all: true }, (page) =>
    readResponse(
      manager,
      manager.api.GET('/v1/me/connections', { params: { query: { gateway_id: gateway, ...page } } }),
      {
        fields: { items: 'list' },
      },
    ),
  );
  return new Map(items.map((connection) => [connection.connector_id, connection]));
}
