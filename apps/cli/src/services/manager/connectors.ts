import { answerOf, type Manager, type Schemas } from './manager.ts';
import { isId, requireUnique } from './named.ts';
import { collect, type Collected, type ListOptions } from './pages.ts';
import { providerOf } from './providers.ts';
import { secretReference } from './secrets.ts';
import { UsageError, CommandFailedError } from '../../errors/cli-error.ts';

type Connector = Schemas['Connector'];
type Write = Schemas['ConnectorWrite'];

const LIST = 'gatehouse admin connectors list';

/** Which connector is meant: an id, or a slug or name at a gateway. */
export interface ConnectorRef {
  readonly connector: string;
  readonly gateway: string;
}

/**
 * Fields of a connector to be set; null takes one away. The manager names what it does not take.
 */
export type ConnectorChange = Readonly<Record<string, unknown>>;

/** Authentication as it is said on a command line. */
export interface ConnectorAuthFlags {
  readonly auth?: string | undefined;
  readonly secret?: string | undefined;
  readonly header?: string | undefined;
  readonly provider?: string | undefined;
}

/** The connectors of a gateway, in the order in which they were made. */
export const listConnectors = (manager: Manager, gateway: string, wanted: ListOptions): Promise<Collected<Connector>> =>
  collect(wanted, (page) =>
    answerOf(
      manager,
      manager.api.GET('/v1/gateways/{gateway_id}/connectors', {
        params: { path: { gateway_id: gateway }, query: page },
      }),
      { fields: { items: 'list' } },
    ),
  );

/**
 * The one that a word means, a slug before a name.
 * @param list the command that lists them
 * @throws CliError when there is none, or more than one
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
 * The id of a connector by id, slug or name.
 * @throws CliError when there is none, or more than one
 */
export async function connectorId(manager: Manager, { connector, gateway }: ConnectorRef): Promise<string> {
  if (isId(connector)) return connector;
  const { items } = await listConnectors(manager, gateway, { limit: 0, all: true });
  return namedConnector(items, connector, LIST).id;
}

/** A connector. @throws CliError when there is none */
export const connectorOf = async (manager: Manager, ref: ConnectorRef): Promise<Connector> =>
  (await tagged(manager, ref)).connector;

/** Makes a connector. @param fields may lack what has a usual value */
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
    ...(auth && { auth: await authOf(manager, auth) }),
  };
  const params = { path: { gateway_id: gateway } };
  // The manager judges the fields and names the one that it does not take.
  return answerOf(
    manager,
    manager.api.POST('/v1/gateways/{gateway_id}/connectors', { params, body: body as unknown as Write }),
    { fields: { id: 'text' } },
  );
}

/**
 * Changes what is given of a connector, over the state that was read: what somebody else changed
 * meanwhile is not written over.
 */
export async function updateConnector(
  manager: Manager,
  ref: ConnectorRef,
  change: ConnectorChange,
  auth?: ConnectorAuthFlags,
): Promise<Connector> {
  const { connector, etag } = await tagged(manager, ref);
  const body = {
    ...without({ ...writeOf(connector), ...change }),
    ...(auth && { auth: await authOf(manager, auth) }),
  };
  const params = { path: { gateway_id: ref.gateway, id: connector.id }, header: { 'If-Match': etag } };
  return answerOf(
    manager,
    manager.api.PUT('/v1/gateways/{gateway_id}/connectors/{id}', { params, body: body as unknown as Write }),
    { fields: { id: 'text' }, list: LIST },
  );
}

/** Deletes a connector with its policy and all connections. */
export async function deleteConnector(manager: Manager, { gateway_id, id }: Connector): Promise<void> {
  const params = { path: { gateway_id, id } };
  await answerOf(manager, manager.api.DELETE('/v1/gateways/{gateway_id}/connectors/{id}', { params }));
}

/**
 * @throws CommandFailedError for a connector whose endpoint was found wanting, with the
 * manager's sentence
 */
export function requireReachable({ slug, status, status_message: message }: Connector): void {
  if (status !== 'failure') return;
  throw new CommandFailedError(`${slug} is not available to users: ${message ?? 'the check of its endpoint failed'}`, [
    `gatehouse admin connectors publish ${slug}   asks the endpoint again`,
  ]);
}

/** The state of a connector as it is written. Secrets that a write does not name stay. */
function writeOf(connector: Connector): Record<string, unknown> {
  const { id: _i, gateway_id: _g, slug: _s, deployment_mode: _d, status, auth, ...rest } = connector;
  const { created_at: _c, updated_at: _u, status_message: _m, ...fields } = rest;
  const { client_secret_configured: _x, ...exchange } = auth.token_exchange ?? {};
  const kept = { ...auth, ...(auth.token_exchange && { token_exchange: exchange }) };
  return { ...fields, auth: kept, draft: status === 'draft' };
}

const without = (fields: ConnectorChange): ConnectorChange =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/**
 * Authentication in the manager's words.
 * @throws UsageError for words that do not belong together
 */
async function authOf(manager: Manager, { auth: type, secret, header, provider }: ConnectorAuthFlags) {
  const takes = (allowed: readonly (string | undefined)[]): void => {
    const given = { '--secret': secret, '--header': header, '--provider': provider };
    for (const [flag, value] of Object.entries(given)) {
      if (value !== undefined && !allowed.includes(flag))
        throw new UsageError(`${flag} does not belong to --auth ${type ?? 'of no type'}`);
    }
  };
  switch (type) {
    case 'none':
      takes([]);
      return { type };
    case 'bearerToken':
      takes(['--secret']);
      return { type, bearer_token: { token: secretReference(wanted(type, '--secret', secret)) } };
    case 'headerInjection': {
      takes(['--secret', '--header']);
      const header_name = wanted(type, '--header', header);
      return { type, header_injection: { header_name, value: secretReference(wanted(type, '--secret', secret)) } };
    }
    case 'upstreamInject': {
      takes(['--provider']);
      const { id } = await providerOf(manager, wanted(type, '--provider', provider));
      return { type, upstream_inject: { provider_id: id } };
    }
    default:
      throw new UsageError(
        type === undefined ? 'Say with --auth how the gateway authenticates' : `--auth ${type} is given in a file`,
        ['--auth none, bearerToken, headerInjection or upstreamInject', '--file connector.json for every other type'],
      );
  }
}

function wanted(type: string, flag: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`--auth ${type} needs ${flag}`);
}

async function tagged(manager: Manager, ref: ConnectorRef): Promise<{ connector: Connector; etag: string }> {
  const path = { gateway_id: ref.gateway, id: await connectorId(manager, ref) };
  const call = manager.api.GET('/v1/gateways/{gateway_id}/connectors/{id}', { params: { path } });
  const connector = await answerOf(manager, call, { fields: { id: 'text', auth: 'object' }, list: LIST });
  return { connector, etag: (await call).response.headers.get('etag') ?? '' };
}
