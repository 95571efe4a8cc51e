/**
 * Requests of the modern era: complete in themselves, without a session, cancelled by closing the
 * stream they are answered on.
 */
import { ErrorCode, errorResponse } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import { MetaKey, withMeta } from '@gatehouse/mcp/meta';
import type { Answer } from './answer.ts';
import type { Backend, Member } from './backend.ts';
import { discovery, isLegacyOnly, requestToLegacy, responseToModern } from './eras.ts';

/** Sends a modern request to a process of either era and returns what stops it. */
export function sendModern(backend: Backend, request: RpcRequest, answer: Answer): (reason: string) => void {
  if (isLegacyOnly(request.method)) {
    answer.settle(
      errorResponse(request.id, ErrorCode.methodNotFound, `${request.method} does not exist in this protocol version.`),
    );
    return () => undefined;
  }
  if (backend.era === 'modern') {
    const call = backend.connection.call(request, answer);
    return (reason) => backend.connection.cancel(call, reason);
  }
  const { serverInfo } = backend.hello;
  if (request.method === 'server/discover') {
    answer.settle({ jsonrpc: '2.0', id: request.id, result: discovery(backend.hello) });
    return () => undefined;
  }
  if (request.method === 'subscriptions/listen') return listen(backend, request, answer);
  const call = backend.connection.call(requestToLegacy(request), {
    notify: (message) => answer.notify(message),
    settle: (response) => answer.settle(responseToModern(request.method, response, serverInfo)),
  });
  return (reason) => backend.connection.cancel(call, reason);
}

/**
 * The HTTP status of an error: the modern era gives a few codes their own, everything else is the
 * payload of a 200.
 */
export function modernStatus(response: RpcResponse): number {
  if (!('error' in response)) return 200;
  const { code } = response.error;
  if (code === ErrorCode.methodNotFound) return 404;
  const refused: readonly number[] = [
    ErrorCode.headerMismatch,
    ErrorCode.missingClientCapability,
    ErrorCode.unsupportedProtocolVersion,
  ];
  return refused.includes(code) ? 400 : 200;
}

const LISTS = {
  toolsListChanged: { capability: 'tools', method: 'notifications/tools/list_changed' },
  promptsListChanged: { capability: 'prompts', method: 'notifications/prompts/list_changed' },
  resourcesListChanged: { capability: 'resources', method: 'notifications/resources/list_changed' },
} as const;

/** A subscription at a server that knows none: made of what the server tells its sessions. */
function listen(backend: Backend, request: RpcRequest, answer: Answer): (reason: string) => void {
  const filter = request.params?.['notifications'];
  if (!isJsonObject(filter) || !answer.canStream) {
    const sentence = 'subscriptions/listen needs params.notifications and a client that accepts event streams.';
    answer.settle(errorResponse(request.id, ErrorCode.invalidParams, sentence));
    return () => undefined;
  }
  const mark = { [MetaKey.subscriptionId]: request.id };
  const { honoured, methods, uris } = honour(backend, filter);
  const member: Member = {
    subscriptions: new Set(),
    level: undefined,
    hear(message) {
      if (methods.has(message.method)) answer.push({ ...message, params: withMeta(message.params, mark) });
    },
    ended: () => answer.settle({ jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', _meta: mark } }),
  };
  backend.join(member);
  const acknowledged = { notifications: honoured, _meta: mark };
  answer.push({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: acknowledged });
  for (const uri of uris) {
    const subscribe: RpcRequest = { jsonrpc: '2.0', id: 0, method: 'resources/subscribe', params: { uri } };
    backend.subscribe(member, uri, subscribe, { notify: () => undefined, settle: () => undefined });
  }
  return () => backend.leave(member);
}

/** The part of the filter that the server can serve. */
function honour(backend: Backend, filter: JsonObject): { honoured: JsonObject; methods: Set<string>; uris: string[] } {
  const { capabilities } = backend.hello;
  const of = (name: string): JsonObject => {
    const capability = isJsonObject(capabilities) ? capabilities[name] : undefined;
    return isJsonObject(capability) ? capability : {};
  };
  const honoured: JsonObject = {};
  const methods = new Set<string>();
  for (const [name, { capability, method }] of Object.entries(LISTS)) {
    if (filter[name] !== true || of(capability)['listChanged'] !== true) continue;
    honoured[name] = true;
    methods.add(method);
  }
  const asked = Array.isArray(filter['resourceSubscriptions']) ? filter['resourceSubscriptions'] : [];
  const uris =
    of('resources')['subscribe'] === true ? asked.filter((uri): uri is string => typeof uri === 'string') : [];
  if (uris.length > 0) {
    honoured['resourceSubscriptions'] = uris;
    methods.add('notifications/resources/updated');
  }
  return { honoured, methods, uris };
}
