import { readResponse, type Manager, type Schemas } from './manager.ts';
import { isId, requireUnique } from './named.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { findIdentityProvider } from './providers.ts';
import { secretReference } from './secrets.ts';
import { UsageError, CommandFailedError } from '../../errors/cli-error.ts';

type Connector = Schemas['Connector'];
type Write = Schemas['ConnectorWrite'];

const LIST = 'gatehouse admin connectors list';

/** A reference to a connector: an id, or a slug or name at a gateway. */
export interface ConnectorRef {
  readonly connector: string;
  readonly gateway: string;
}

/**
 * New values of fields of a connector; null removes a field. The manager validates them and names
 * the invalid field.
 */
export type ConnectorChange = Readonly<Record<string, unknown>>;

/** The authentication of a connector, as flags describe it. */
export interface ConnectorAuthFlags {
  readonly auth?: string | undefined;
  readonly secret?: string | undefined;
  readonly header?: string | undefined;
  readonly provider?: string | undefined;
}

/** Lists the connectors of a gateway in the order of their creation. */
export const listConnectors = (manager: Manager, gateway: string, wanted: ListOptions): Promise<Collected<Connector>> =>
  collect(wanted, (page) =>
    readResponse(
      manager,
      manager.api.GET('/v1/gateways/{gateway_id}/connectors', {
        params: { path: { gateway_id: gateway }, query: page },
      }),
      { fields: { items: 'list' } },
    ),
  );

/**
 * Finds a connector by slug, else by name.
 * @param list the command that lists connectors
 * @throws CliError when no connector or several match
 */
export function namedConnector<T extends { id: string; name: string; slug: string }>(
  items: readonly T[],
  text: string,
  list: string,
): T {
  const bySlug = items.filter(({ slug }) => slug === text);
  const found = bySlug.length > 0 ? bySlug : items.filter(({ name }) => name === text);
  return requireUnique('connector', text, found, ({ name }) => name, list);
}

/**
 * Finds the id of a connector by id, slug or name.
 * @throws CliError when no connector or several match
 */
export async function connectorId(manager: Manager, { connector, gateway }: ConnectorRef): Promise<string> {
  if (isId(connector)) return connector;
  const { items } = await listConnectors(manager, gateway, { limit: 0, all: true });
  return namedConnector(items, connector, LIST).id;
}

/** Reads a connector. @throws CliError when it does not exist */
export const findConnector = async (manager: Manager, ref: ConnectorRef): Promise<Connector> =>
  (await readWithEtag(manager, ref)).connector;

/** Creates a connector. @param fields without those that have a default */
export async function createConnector(
  manager: Manager,
  gateway: string,
  fields: ConnectorChange,
  auth: ConnectorAuthFlags | undefined,
): Promise<Connector> {
  const body = {
    transport: 'streamable-http',
    draft: true,
    ...without(fields),
    ...(auth && { auth: await buildAuth(manager, auth) }),
  };
  const params = { path: { gateway_id: gateway } };
  // The manager validates the fields and names the invalid one.
  return readResponse(
    manager,
    manager.api.POST('/v1/gateways/{gateway_id}/connectors', { params, body: body as unknown as Write }),
    { fields: { id: 'text' } },
  );
}

/**
 * Changes the given fields of a connector. A concurrent change by another administrator is not
 * overwritten.
 */
export async function updateConnector(
  manager: Manager,
  ref: ConnectorRef,
  change: ConnectorChange,
  auth?: ConnectorAuthFlags,
): Promise<Connector> {
  const { connector, etag } = await readWithEtag(manager, ref);
  const body = {
    ...without({ ...toWriteBody(connector), ...change }),
    ...(auth && { auth: await buildAuth(manager, auth) }),
  };
  const params = { path: { gateway_id: ref.gateway, id: connector.id }, header: { 'If-Match': etag } };
  return readResponse(
    manager,
    manager.api.PUT('/v1/gateways/{gateway_id}/connectors/{id}', { params, body: body as unknown as Write }),
    { fields: { id: 'text' }, list: LIST },
  );
}

/** Deletes a connector with its policy and all connections. */
export async function deleteConnector(manager: Manager, { gateway_id, id }: Connector): Promise<void> {
  const params = { path: { gateway_id, id } };
  await readResponse(manager, manager.api.DELETE('/v1/gateways/{gateway_id}/connectors/{id}', { params }));
}

/**
 * @throws CommandFailedError when the check of the connector's endpoint failed, with the manager's
 * message
 */
export function requireReachable({ slug, status, status_message: message }: Connector): void {
  if (status !== 'failure') return;
  throw new CommandFailedError(`${slug} is not available to users: ${message ?? 'the check of its endpoint failed'}`, [
    `gatehouse admin connectors publish ${slug}   checks the endpoint again`,
  ]);
}

/** The body of a write that keeps the state of a connector. Secrets that a write omits stay. */
function toWriteBody(connector: Connector): Record<string, unknown> {
  const { id: _i, gateway_id: _g, slug: _s, deployment_mode: _d, status, auth, ...rest } = connector;
  const { created_at: _c, updated_at: _u, status_message: _m, ...fields } = rest;
  const { client_secret_configured: _x, ...exchange } = auth.token_exchange ?? {};
  const kept = { ...auth, ...(auth.token_exchange && { token_exchange: exchange }) };
  return { ...fields, auth: kept, draft: status === 'draft' };
}

const without = (fields: ConnectorChange): ConnectorChange =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/**
 * The authentication in the manager's format.
 * @throws UsageError for flags that exclude each other
 */
async function buildAuth(manager: Manager, { auth: type, secret, header, provider }: ConnectorAuthFlags) {
  const takes = (allowed: readonly (string | undefined)[]): void => {
    const given = { '--secret': secret, '--header': header, '--provider': provider };
    for (const [flag, value] of Object.entries(given)) {
      if (value !== undefined && !allowed.includes(flag))
        throw new UsageError(`${flag} cannot be used with --auth ${type ?? '(missing)'}`);
    }
  };
  switch (type) {
    case 'none':
      takes([]);
      return { type };
    case 'bearerToken':
      takes(['--secret']);
      return { type, bearer_token: { token: secretReference(requireFlag(type, '--secret', secret)) } };
    case 'headerInjection': {
      takes(['--secret', '--header']);
      const header_name = requireFlag(type, '--header', header);
      return { type, header_injection: { header_name, value: secretReference(requireFlag(type, '--secret', secret)) } };
    }
    case 'upstreamInject': {
      takes(['--provider']);
      const { id } = await findIdentityProvider(manager, requireFlag(type, '--provider', provider));
      return { type, upstream_inject: { provider_id: id } };
    }
    default:
      throw new UsageError(
        type === undefined
          ? '--auth is missing: it sets the authentication of the gateway'
          : `--auth ${type} is given in a file`,
        ['--auth none, bearerToken, headerInjection or upstreamInject', '--file connector.json for every other type'],
      );
  }
}

function requireFlag(type: string, flag: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`--auth ${type} needs ${flag}`);
}

async function readWithEtag(manager: Manager, ref: ConnectorRef): Promise<{ connector: Connector; etag: string }> {
  const path = { gateway_id: ref.gateway, id: await connectorId(manager, ref) };
  const call = manager.api.GET('/v1/gateways/{gateway_id}/connectors/{id}', { params: { path } });
  const connector = await readResponse(manager, call, { fields: { id: 'text', auth: 'object' }, list: LIST });
  return { connector, etag: (await call).response.headers.get('etag') ?? '' };
}
