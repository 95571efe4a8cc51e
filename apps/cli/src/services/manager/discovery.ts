import { readResponse, type Manager, type Schemas } from './manager.ts';
import { isId, requireUnique } from './named.ts';
import { CommandFailedError } from '../../errors/cli-error.ts';

type Server = Schemas['DiscoveredServer'];

const LIST = 'gatehouse admin discovery list';

/** Lists the MCP servers of the cluster by namespace and name. */
export async function listServers(manager: Manager, gateway: string): Promise<{ items: Server[] }> {
  const { servers } = await readResponse(
    manager,
    manager.api.GET('/v1/gateways/{gateway_id}/discovered-servers', { params: { path: { gateway_id: gateway } } }),
    { fields: { servers: 'list' } },
  );
  return { items: servers };
}

/**
 * Finds a server of the cluster by id, `<namespace>/<name>` or name.
 * @throws CliError when no server or several match
 */
async function findServer(manager: Manager, gateway: string, text: string): Promise<Server> {
  const { items } = await listServers(manager, gateway);
  const found = items.filter(({ id, name, namespace }) => [id, name, `${namespace}/${name}`].includes(text));
  if (found.length === 0 && isId(text))
    throw new CommandFailedError(`There is no server ${text} in the cluster`, [LIST]);
  return requireUnique('server', text, found, ({ namespace, name, kind }) => `${kind} ${namespace}/${name}`, LIST);
}

/** Creates a connector for a server of the cluster. */
export async function admitServer(
  manager: Manager,
  gateway: string,
  text: string,
  body: { name?: string; draft: boolean },
): Promise<Schemas['Connector']> {
  const { id } = await findServer(manager, gateway, text);
  return readResponse(
    manager,
    manager.api.POST('/v1/gateways/{gateway_id}/discovered-servers/{id}/admit', {
      params: { path: { gateway_id: gateway, id } },
      body,
    }),
  );
}
