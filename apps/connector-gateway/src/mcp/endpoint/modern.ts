import { toDiscoverResult } from '@gatehouse/mcp/eras';
import { isJsonObject, type JsonObject, type RpcRequest } from '@gatehouse/mcp/json-rpc';
import { MetaKey } from '@gatehouse/mcp/meta';
import type { AuthenticatedUser } from '../access/access.ts';
import { createInvalidParamsError } from '../calls/client-call.ts';
import { getModernCapabilities, SERVER_INFO } from '../calls/methods.ts';
import { createMissingExtensionError } from '../calls/task-forms.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import { MAX_SUBSCRIPTIONS, MAX_URI_LENGTH, type ResourceSubscriptions } from '../sessions/resource-subscriptions.ts';
import type { LiveViews } from '../sessions/live-views.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { ServedCall } from './served-call.ts';
import type { ServedCalls } from './served-calls.ts';

const KINDS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' } as const;

/** Serves the revision without sessions. Each request is complete. */
export class ModernEndpoint {
  constructor(
    private readonly live: LiveViews,
    private readonly subscriptions: ResourceSubscriptions,
    private readonly calls: ServedCalls,
  ) {}

  /** Serves a posted request. */
  async post(
    exchange: HttpExchange,
    user: AuthenticatedUser,
    scope: EndpointScope,
    request: RpcRequest,
  ): Promise<void> {
    const call = this.calls.open({ exchange, user, scope, request, session: undefined });
    await this.calls.serve(call, (method) => {
      if (method === 'server/discover')
        return toDiscoverResult({ capabilities: getModernCapabilities(scope), serverInfo: SERVER_INFO });
      if (method === 'subscriptions/listen') return this.listen(exchange, call, request);
      return undefined;
    });
  }

  /** Sends change notifications until the client disconnects. */
  private async listen({ response }: HttpExchange, call: ServedCall, request: RpcRequest): Promise<JsonObject> {
    const filter = call.params['notifications'];
    if (!isJsonObject(filter)) throw createInvalidParamsError('params.notifications must be an object');
    // Updates of tasks are not offered, and a client without tasks must not ask for them.
    if (filter['taskIds'] !== undefined && call.taskForm === undefined) throw createMissingExtensionError();
    const meta = { [MetaKey.subscriptionId]: request.id };
    const requested = readUris(filter['resourceSubscriptions']);
    const uris = [...(await this.subscriptions.findSubscribable(call.user, call.scope, requested)).keys()];
    const accepted: JsonObject = Object.fromEntries(
      Object.values(KINDS)
        .filter((name) => filter[name] === true && !(name === KINDS.tools && call.scope.mode === 'search'))
        .map((name) => [name, true]),
    );
    if (uris.length > 0) accepted['resourceSubscriptions'] = uris;
    // The client can be gone by now, and a closed response emits no further event.
    if (response.closed) return { _meta: meta };
    const acknowledged = call.push({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: accepted, _meta: meta },
    });
    if (!acknowledged) throw createInvalidParamsError('subscriptions/listen needs a client that accepts event streams');
    const { promise, resolve } = Promise.withResolvers<JsonObject>();
    const open = this.subscriptions.open(call.user, call.scope, (uri) =>
      call.push({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri, _meta: meta } }),
    );
    void open.set(uris);
    const end = this.live.watch(call.user, call.scope, (kind) => {
      if (kind === 'resources') void open.set(uris);
      if (accepted[KINDS[kind]] === true)
        call.push({ jsonrpc: '2.0', method: `notifications/${kind}/list_changed`, params: { _meta: meta } });
    });
    response.once('close', () => {
      end();
      open.end();
      resolve({ _meta: meta });
    });
    return promise;
  }
}

/** @throws RpcError for anything else than a short list of URIs */
function readUris(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const isUri = (uri: unknown): uri is string => typeof uri === 'string' && uri.length <= MAX_URI_LENGTH;
  if (Array.isArray(value) && value.length <= MAX_SUBSCRIPTIONS && value.every(isUri)) return [...new Set(value)];
  throw createInvalidParamsError(
    `params.notifications.resourceSubscriptions must be a list of at most ${MAX_SUBSCRIPTIONS} URIs of at most ${MAX_URI_LENGTH} characters`,
  );
}
