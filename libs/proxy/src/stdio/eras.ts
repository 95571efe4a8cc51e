/**
 * Translation between the two protocol eras, one message at a time and without state: what a modern
 * client says to a legacy server and the other way round.
 */
import { ErrorCode, errorResponse } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import { MetaKey, metaOf, withMeta, withoutEnvelope } from '@gatehouse/mcp/meta';
import {
  isLegacyRevision,
  LATEST_LEGACY_REVISION,
  LATEST_MODERN_REVISION,
  MODERN_REVISIONS,
} from '@gatehouse/mcp/revisions';

/** Results of these carry caching hints in the modern era; a legacy server promises nothing. */
const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** Methods that the modern era does not have. */
const LEGACY_ONLY: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** True for a method that only legacy clients may call. */
export function isLegacyOnly(method: string): boolean {
  return LEGACY_ONLY.has(method);
}

/** A modern request as a legacy server understands it. */
export function requestToLegacy(request: RpcRequest): RpcRequest {
  return request.params === undefined ? request : { ...request, params: withoutEnvelope(request.params) };
}

/** A legacy server's answer as a modern client expects it. */
export function responseToModern(method: string, response: RpcResponse, serverInfo: unknown): RpcResponse {
  if ('error' in response) {
    // The modern era has no code of its own for a resource that is not there.
    return response.error.code === -32002
      ? { ...response, error: { ...response.error, code: ErrorCode.invalidParams } }
      : response;
  }
  return { ...response, result: completed(method, response.result, serverInfo) };
}

/** What `server/discover` says about a server that answered `initialize`. */
export function discovery(initializeResult: JsonObject): JsonObject {
  const { capabilities, serverInfo, instructions } = initializeResult;
  return completed(
    'server/discover',
    {
      supportedVersions: [...MODERN_REVISIONS],
      capabilities: isJsonObject(capabilities) ? capabilities : {},
      ...(instructions === undefined ? {} : { instructions }),
    },
    serverInfo,
  );
}

/** A legacy request as a modern server understands it. */
export function requestToModern(request: RpcRequest, clientInfo: unknown): RpcRequest {
  return {
    ...request,
    params: withMeta(request.params, {
      [MetaKey.protocolVersion]: LATEST_MODERN_REVISION,
      [MetaKey.clientCapabilities]: {},
      ...(isJsonObject(clientInfo) ? { [MetaKey.clientInfo]: clientInfo } : {}),
    }),
  };
}

/** A modern server's answer as a legacy client expects it. */
export function responseToLegacy(response: RpcResponse): RpcResponse {
  if ('error' in response) return response;
  const { resultType, ttlMs: _ttlMs, cacheScope: _cacheScope, ...result } = response.result;
  if (resultType === 'input_required') {
    return errorResponse(
      response.id,
      ErrorCode.internalError,
      'The MCP server asks for input in a way that this client does not know.',
    );
  }
  return { ...response, result };
}

/** What `initialize` answers for a server that only knows `server/discover`. */
export function initialization(discovered: JsonObject, requested: unknown): JsonObject {
  const { capabilities, instructions } = discovered;
  const protocolVersion =
    typeof requested === 'string' && isLegacyRevision(requested) ? requested : LATEST_LEGACY_REVISION;
  return {
    protocolVersion,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: metaOf(discovered)?.[MetaKey.serverInfo] ?? { name: 'MCP server', version: 'unknown' },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function completed(method: string, result: JsonObject, serverInfo: unknown): JsonObject {
  const marked = {
    resultType: 'complete',
    ...(CACHEABLE.has(method) ? { ttlMs: 0, cacheScope: 'private' } : {}),
    ...result,
  };
  return isJsonObject(serverInfo) ? withMeta(marked, { [MetaKey.serverInfo]: serverInfo }) : marked;
}
