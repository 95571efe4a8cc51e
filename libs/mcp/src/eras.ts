/**
 * Translates single messages between the two protocol eras, without state: from a modern client to
 * a legacy server and the reverse.
 */
import { ErrorCode, createErrorResponse } from './errors.ts';
import type { JsonObject, RpcRequest, RpcResponse } from './json-rpc.ts';
import { isJsonObject } from './json-rpc.ts';
import { MetaKey, getMeta, addMeta, removeSenderMeta } from './meta.ts';
import { isPrepared, prepareResult } from './prepared-results.ts';
import { isLegacyRevision, LATEST_LEGACY_REVISION, LATEST_MODERN_REVISION, MODERN_REVISIONS } from './revisions.ts';

/** Methods whose results carry caching hints in the modern era. Legacy servers give no hints. */
const CACHEABLE_METHODS: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/directory/read',
  'skills/list',
  'skills/get',
]);

/** Methods of legacy MCP revisions that modern revisions do not have. */
const LEGACY_ONLY_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** Whether only legacy clients may call the method. */
export function isLegacyOnly(method: string): boolean {
  return LEGACY_ONLY_METHODS.has(method);
}

/** Translates a modern request for a legacy server. */
export function toLegacyRequest(request: RpcRequest): RpcRequest {
  return request.params === undefined ? request : { ...request, params: removeSenderMeta(request.params) };
}

/** Translates the response of a legacy server for a modern client. */
export function toModernResponse(method: string, response: RpcResponse, serverInfo: unknown): RpcResponse {
  if ('error' in response) {
    // The modern era has no error code for a missing resource.
    return response.error.code === -32002
      ? { ...response, error: { ...response.error, code: ErrorCode.invalidParams } }
      : response;
  }
  return { ...response, result: completeOnce(method, response.result, serverInfo) };
}

/** The completed form of prepared results. The method and the server of a result never change. */
const completed = new WeakMap<JsonObject, JsonObject>();

function completeOnce(method: string, result: JsonObject, serverInfo: unknown): JsonObject {
  if (!isPrepared(result)) return completeResult(method, result, serverInfo);
  let known = completed.get(result);
  if (known === undefined) completed.set(result, (known = prepareResult(completeResult(method, result, serverInfo))));
  return known;
}

/** Makes the result of `server/discover` from that of `initialize`. */
export function toDiscoverResult(initializeResult: JsonObject): JsonObject {
  const { capabilities, serverInfo, instructions } = initializeResult;
  return completeResult(
    'server/discover',
    {
      supportedVersions: [...MODERN_REVISIONS],
      capabilities: isJsonObject(capabilities) ? capabilities : {},
      ...(instructions === undefined ? {} : { instructions }),
    },
    serverInfo,
  );
}

/** Translates a legacy request for a modern server. */
export function toModernRequest(request: RpcRequest, clientInfo: unknown): RpcRequest {
  return {
    ...request,
    params: addMeta(request.params, {
      [MetaKey.protocolVersion]: LATEST_MODERN_REVISION,
      [MetaKey.clientCapabilities]: {},
      ...(isJsonObject(clientInfo) ? { [MetaKey.clientInfo]: clientInfo } : {}),
    }),
  };
}

/** Translates the response of a modern server for a legacy client. */
export function toLegacyResponse(response: RpcResponse): RpcResponse {
  if ('error' in response) return response;
  const { resultType, ttlMs: _ttlMs, cacheScope: _cacheScope, ...result } = response.result;
  if (resultType === 'input_required') {
    return createErrorResponse(
      response.id,
      ErrorCode.internalError,
      'The MCP server asks for input with a method that this client does not support.',
    );
  }
  return { ...response, result };
}

/** Makes the result of `initialize` from that of `server/discover`. */
export function toInitializeResult(discovered: JsonObject, requested: unknown): JsonObject {
  const { capabilities, instructions } = discovered;
  const protocolVersion =
    typeof requested === 'string' && isLegacyRevision(requested) ? requested : LATEST_LEGACY_REVISION;
  return {
    protocolVersion,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: getMeta(discovered)?.[MetaKey.serverInfo] ?? { name: 'MCP server', version: 'unknown' },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function completeResult(method: string, result: JsonObject, serverInfo: unknown): JsonObject {
  const marked = {
    resultType: 'complete',
    ...(CACHEABLE_METHODS.has(method) ? { ttlMs: 0, cacheScope: 'private' } : {}),
    ...result,
  };
  return isJsonObject(serverInfo) ? addMeta(marked, { [MetaKey.serverInfo]: serverInfo }) : marked;
}

/** Returns the HTTP status of a modern response. Most errors have the status 200. */
export function getModernStatus(response: RpcResponse): number {
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
