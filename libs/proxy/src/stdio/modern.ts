/**
 * Requests of the modern era. They have no session; the client cancels one by closing its stream.
 */
import { toDiscoverResult, isLegacyOnly, toLegacyRequest, toModernResponse } from '@gatehouse/mcp/eras';
import { ErrorCode, createErrorResponse } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcRequest } from '@gatehouse/mcp/json-rpc';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import { MetaKey, addMeta } from '@gatehouse/mcp/meta';
import type { Responder } from '@gatehouse/mcp/server/responder';
import type { Backend, Subscriber } from './backend.ts';

/** Sends a modern request to a process of either era. @returns a function that cancels it. */
export function sendModern(backend: Backend, request: RpcRequest, responder: Responder): (reason: string) => void {
  if (isLegacyOnly(request.method)) {
    responder.settle(
      createErrorResponse(
        request.id,
        ErrorCode.methodNotFound,
        `${request.method} does not exist in this protocol version.`,
      ),
    );
    return () => undefined;
  }
  if (backend.era === 'modern') {
    const call = backend.connection.call(request, responder);
    return (reason) => backend.connection.cancel(call, reason);
  }
  const { serverInfo } = backend.handshakeResult;
  if (request.method === 'server/discover') {
    responder.settle({ jsonrpc: '2.0', id: request.id, result: toDiscoverResult(backend.handshakeResult) });
    return () => undefined;
  }
  if (request.method === 'subscriptions/listen') return listen(backend, request, responder);
  const call = backend.connection.call(toLegacyRequest(request), {
    notify: (message) => responder.notify(message),
    settle: (response) => responder.settle(toModernResponse(request.method, response, serverInfo)),
  });
  return (reason) => backend.connection.cancel(call, reason);
}

const LISTS = {
  toolsListChanged: { capability: 'tools', method: 'notifications/tools/list_changed' },
  promptsListChanged: { capability: 'prompts', method: 'notifications/prompts/list_changed' },
  resourcesListChanged: { capability: 'resources', method: 'notifications/resources/list_changed' },
} as const;

/** Emulates `subscriptions/listen` with the notifications of a legacy server. */
function listen(backend: Backend, request: RpcRequest, responder: Responder): (reason: string) => void {
  const filter = request.params?.['notifications'];
  if (!isJsonObject(filter) || !responder.canStream) {
    const message = 'subscriptions/listen needs params.notifications and a client that accepts event streams.';
    responder.settle(createErrorResponse(request.id, ErrorCode.invalidParams, message));
    return () => undefined;
  }
  const subscriptionMeta = { [MetaKey.subscriptionId]: request.id };
  const { accepted, methods, uris } = acceptFilter(backend, filter);
  const subscriber: Subscriber = {
    subscriptions: new Set(),
    level: undefined,
    onNotification(message) {
      if (methods.has(message.method))
        responder.push({ ...message, params: addMeta(message.params, subscriptionMeta) });
    },
    onEnd: () =>
      responder.settle({ jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', _meta: subscriptionMeta } }),
  };
  backend.join(subscriber);
  const acknowledged = { notifications: accepted, _meta: subscriptionMeta };
  responder.push({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: acknowledged });
  for (const uri of uris) {
    const subscribe: RpcRequest = { jsonrpc: '2.0', id: 0, method: 'resources/subscribe', params: { uri } };
    backend.subscribe(subscriber, uri, subscribe, { notify: () => undefined, settle: () => undefined });
  }
  return () => backend.leave(subscriber);
}

/** Selects the part of the filter that the server supports. */
function acceptFilter(
  backend: Backend,
  filter: JsonObject,
): { accepted: JsonObject; methods: Set<string>; uris: string[] } {
  const { capabilities } = backend.handshakeResult;
  const getCapability = (name: string): JsonObject => {
    const capability = isJsonObject(capabilities) ? capabilities[name] : undefined;
    return isJsonObject(capability) ? capability : {};
  };
  const accepted: JsonObject = {};
  const methods = new Set<string>();
  for (const [name, { capability, method }] of Object.entries(LISTS)) {
    if (filter[name] !== true || getCapability(capability)['listChanged'] !== true) continue;
    accepted[name] = true;
    methods.add(method);
  }
  const requested = Array.isArray(filter['resourceSubscriptions']) ? filter['resourceSubscriptions'] : [];
  const uris =
    getCapability('resources')['subscribe'] === true
      ? requested.filter((uri): uri is string => typeof uri === 'string')
      : [];
  if (uris.length > 0) {
    accepted['resourceSubscriptions'] = uris;
    methods.add('notifications/resources/updated');
  }
  return { accepted, methods, uris };
}
