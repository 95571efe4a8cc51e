import type { Caller } from '@gatehouse/service-kit/access';
import { type Answer, computeETag, preconditionFailed, requireMatch, withETag } from '@gatehouse/service-kit/etag';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/config.ts';
import { DataPlane } from '../data-plane/data-plane.ts';
import { type Connector, getConnectionVersion, isConnectorEnabled } from '../mcp/ports/snapshot.ts';
import { GatewayDirectory } from '../ports/gateway-directory.ts';
import { resolveRequestScope, type RequestScope } from '../mcp/calls/plane.ts';
import { listHiddenKinds, showHiddenText, showHiddenTexts } from '../mcp/content/hidden-text.ts';
import { DirectoryUnavailableError } from '../mcp/access/directory-view.ts';
import { createTarget } from '../mcp/upstreams/credential-identity.ts';
import { UpstreamUnavailableError } from '../mcp/upstreams/upstream-unavailable.ts';
import type {
  ConnectionStatus,
  ConnectorList,
  ConnectorState,
  GatewayView,
  StatusList,
  Tool,
  ToolsList,
} from './connectors.dto.ts';
import { getConnectionStatus } from '../connection-statuses/connection-status.ts';
import { ConnectionStatuses } from '../connection-statuses/connection-statuses.ts';

/** The current rights of a user with an active directory entry. */
type ActiveUserScope = RequestScope & { entitlements: NonNullable<RequestScope['entitlements']> };

/**
 * A user's own connectors. The directory stores the settings. A connector that the policy does not
 * allow is not found.
 */
@Injectable()
export class ConnectorsService {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly directory: GatewayDirectory,
    private readonly dataPlane: DataPlane,
    private readonly statuses: ConnectionStatuses,
  ) {}

  async getView(caller: Caller): Promise<Answer<GatewayView>> {
    const user = await this.requireActiveUser(caller);
    const connectors = await this.listWithStatuses(user);
    return addContentTag({
      connectors: connectors.map(({ connector, status }) => ({
        ...createState(user, connector),
        connection_status: status,
      })),
      connectors_retired: this.settings.CONNECTORS_RETIRED,
      endpoint_url: this.dataPlane.getEndpointUrl(),
    });
  }

  async listConnectors(caller: Caller): Promise<Answer<ConnectorList>> {
    this.refuseRetired();
    const user = await this.requireActiveUser(caller);
    const connectors = (await this.listWithStatuses(user)).map(({ connector, status }) => ({
      ...createState(user, connector),
      name: connector.name,
      ...(connector.description !== undefined && { description: connector.description }),
      connection_status: status,
    }));
    return addContentTag({ connectors });
  }

  async listStatuses(caller: Caller): Promise<Answer<StatusList>> {
    const user = await this.requireActiveUser(caller);
    return addContentTag({
      statuses: (await this.listWithStatuses(user)).map(({ connector, status }) => ({
        connector_id: connector.id,
        ...this.createStatus(connector, status),
      })),
    });
  }

  async getStatus(caller: Caller, connectorId: string): Promise<Answer<ConnectionStatus>> {
    const user = await this.requireActiveUser(caller);
    const connector = this.find(user, connectorId);
    const [status] = await this.statuses.list(user.access.user, [connector]);
    return addContentTag(this.createStatus(connector, status));
  }

  async getState(caller: Caller, connectorId: string): Promise<Answer<ConnectorState>> {
    this.refuseRetired();
    const user = await this.requireActiveUser(caller);
    const state = createState(user, this.find(user, connectorId));
    return withETag(state, createStateTag(user, state));
  }

  async setState(
    caller: Caller,
    connectorId: string,
    enabled: boolean,
    ifMatch: string | undefined,
  ): Promise<Answer<ConnectorState>> {
    await this.write(caller, connectorId, enabled, ifMatch);
    return this.getState(caller, connectorId);
  }

  async clearState(caller: Caller, connectorId: string, ifMatch: string | undefined): Promise<void> {
    await this.write(caller, connectorId, undefined, ifMatch);
  }

  async listTools(caller: Caller, connectorId: string): Promise<ToolsList> {
    const user = await this.requireActiveUser(caller);
    const connector = this.find(user, connectorId);
    const { upstreams, limits, pins, redactedLists } = this.dataPlane.plane;
    const definitions = await upstreams
      .list(createTarget(connector, user.access.user), 'tools', limits.fanOutMs)
      .then((list) => pins.review({ id: connector.id, pinning: user.access.getToolPinning(connector) }, list))
      .then((list) => redactedLists.redact(connector.id, user.access.findRedaction(connector), list))
      .catch((error: unknown) => {
        if (!(error instanceof UpstreamUnavailableError)) throw error;
        throw new HttpError('bad_gateway', `the connector ${error.message}`, { cause: error });
      });
    const tools = definitions
      .filter(({ name }) => user.access.canCall(connector, name))
      .map((definition) => ({
        ...toTool(definition),
        enabled: user.access.isAllowed(connector, { kind: 'tool', name: definition.name }),
      }));
    return { tools: tools.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  /**
   * A connector that the policy allows to an active user.
   * @throws HttpError invalid, forbidden, not_found, unavailable
   */
  async requirePermitted(caller: Caller, connectorId: string): Promise<Connector> {
    return this.find(await this.requireActiveUser(caller), connectorId);
  }

  private listPermittedConnectors({ access }: ActiveUserScope): readonly Connector[] {
    const connectors = this.directory.getRules()?.connectors ?? [];
    return connectors.filter((connector) => access.canConnect(connector)).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  private find(user: ActiveUserScope, connectorId: string): Connector {
    const problem = this.directory.findIdProblem(connectorId);
    if (problem !== undefined) throw new HttpError('invalid', `connector_id: ${problem}`);
    const connector = this.listPermittedConnectors(user).find(({ id }) => id === connectorId);
    if (connector === undefined) throw createNotFoundError();
    return connector;
  }

  private async requireWritable(
    caller: Caller,
    connectorId: string,
    ifMatch: string | undefined,
  ): Promise<ActiveUserScope> {
    this.refuseRetired();
    const user = await this.requireActiveUser(caller);
    const state = createState(user, this.find(user, connectorId));
    requireMatch(ifMatch, createStateTag(user, state), 'required');
    return user;
  }

  private async resolveScope(caller: Caller): Promise<RequestScope> {
    try {
      return await resolveRequestScope(this.dataPlane.plane, caller);
    } catch (error) {
      throw error instanceof DirectoryUnavailableError ? createUnavailableError(error) : error;
    }
  }

  private async requireActiveUser(caller: Caller): Promise<ActiveUserScope> {
    const scope = await this.resolveScope(caller);
    const { entitlements } = scope;
    if (entitlements?.active !== true) throw new HttpError('forbidden', 'no active directory entry');
    return { ...scope, entitlements };
  }

  /**
   * Changes the state of a connector for the caller. The directory compares the version again,
   * since another write may have come between.
   * @param enabled undefined resets the state to its default
   */
  private async write(
    caller: Caller,
    connectorId: string,
    enabled: boolean | undefined,
    ifMatch: string | undefined,
  ): Promise<void> {
    const scope = await this.requireWritable(caller, connectorId, ifMatch);
    const version = getVersionToReplace(scope, connectorId, ifMatch);
    const { user, entitlements } = scope;
    const change = { user, entitlements, connectorId, enabled, version };
    const result = await this.directory.changeConnection(change).catch((error: unknown) => {
      if (!(error instanceof DirectoryUnavailableError)) throw error;
      throw createUnavailableError(error);
    });
    if (result === 'unknown_connector') throw createNotFoundError();
    if (result === 'outdated') throw preconditionFailed();
  }

  /** The permitted connectors, with the status of the user at each. */
  private async listWithStatuses(user: ActiveUserScope) {
    const connectors = this.listPermittedConnectors(user);
    const statuses = await this.statuses.list(user.access.user, connectors);
    return connectors.map((connector, at) => ({ connector, status: statuses[at] ?? getConnectionStatus(connector) }));
  }

  private createStatus(
    connector: Connector,
    status: ConnectionStatus['connection_status'] = getConnectionStatus(connector),
  ): ConnectionStatus {
    const health = this.dataPlane.health.getHealth(connector.id);
    return { connection_status: status, ...(health && { health }) };
  }

  private refuseRetired(): void {
    if (this.settings.CONNECTORS_RETIRED)
      throw new HttpError('not_implemented', 'connectors are managed at the enterprise manager');
  }
}

const createNotFoundError = (): HttpError => new HttpError('not_found', 'there is no such connector');

const createUnavailableError = (cause: DirectoryUnavailableError): HttpError =>
  new HttpError('unavailable', 'the directory cannot be reached at the moment', { cause, retryAfterMs: 5_000 });

const addContentTag = <T>(body: T): Answer<T> => withETag(body, computeETag(body));

function createState({ entitlements }: ActiveUserScope, { id }: Connector): ConnectorState {
  const connection = entitlements.connections.find((own) => own.connector_id === id);
  return {
    connector_id: id,
    enabled: isConnectorEnabled(entitlements, id),
    ...(connection?.updated_at !== undefined && { updated_at: connection.updated_at }),
  };
}

/**
 * The ETag of a state. The version makes each tag unique, and `explicit` tells the default from a
 * disabled connector.
 */
const createStateTag = ({ entitlements }: ActiveUserScope, state: ConnectorState): string =>
  computeETag({
    ...state,
    version: getConnectionVersion(entitlements, state.connector_id),
    explicit: entitlements.connections.some((own) => own.connector_id === state.connector_id),
  });

/** The version to replace; undefined for `If-Match: *`. */
const getVersionToReplace = ({ entitlements }: ActiveUserScope, connectorId: string, ifMatch: string | undefined) =>
  ifMatch?.trim() === '*' ? undefined : getConnectionVersion(entitlements, connectorId);

/** A definition of an upstream. */
interface ToolDefinition {
  name: string;
  description?: string | undefined;
  inputSchema: Record<string, unknown>;
  annotations?: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined } | undefined;
}

function toTool(definition: ToolDefinition): Omit<Tool, 'enabled'> {
  const { name, description, inputSchema, annotations } = definition;
  const hidden = listHiddenKinds(definition);
  return {
    name,
    ...(description !== undefined && { description: showHiddenText(description) }),
    input_schema: hidden.length === 0 ? inputSchema : showHiddenTexts(inputSchema),
    ...(hidden.length > 0 && { hidden_text: hidden }),
    ...(annotations?.readOnlyHint !== undefined && { read_only_hint: annotations.readOnlyHint }),
    ...(annotations?.destructiveHint !== undefined && { destructive_hint: annotations.destructiveHint }),
  };
}
