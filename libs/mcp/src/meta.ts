/** The members of `_meta` that the protocol reserves. */
import { isJsonObject, isRequestId } from './json-rpc.ts';
import type { JsonObject, RequestId } from './json-rpc.ts';

/** Reserved keys of `_meta`. */
export const MetaKey = {
  progressToken: 'progressToken',
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The keys that identify the sender. Each of them marks a request as modern. */
const SENDER_META_KEYS = [
  MetaKey.protocolVersion,
  MetaKey.clientInfo,
  MetaKey.clientCapabilities,
  MetaKey.logLevel,
] as const;

/** Returns the `_meta` of params or of a result; undefined when it is not an object. */
export function getMeta(holder: JsonObject | undefined): JsonObject | undefined {
  const meta = holder?.['_meta'];
  return isJsonObject(meta) ? meta : undefined;
}

/** Whether the params contain a key that only modern requests have. */
export function hasModernKey(params: JsonObject | undefined): boolean {
  const meta = getMeta(params);
  return meta !== undefined && SENDER_META_KEYS.some((key) => Object.hasOwn(meta, key));
}

/** Returns the progress token of a request; undefined when it does not ask for progress. */
export function getProgressToken(params: JsonObject | undefined): RequestId | undefined {
  const token = getMeta(params)?.[MetaKey.progressToken];
  return isRequestId(token) ? token : undefined;
}

/** Copies an object with these members of `_meta`. */
export function addMeta(holder: JsonObject | undefined, members: JsonObject): JsonObject {
  return { ...holder, _meta: { ...getMeta(holder), ...members } };
}

/**
 * Copies params without the keys for version, client and capabilities, and without empty `_meta`.
 */
export function removeSenderMeta(params: JsonObject): JsonObject {
  const meta = getMeta(params);
  if (meta === undefined) return params;
  const kept = Object.fromEntries(
    Object.entries(meta).filter(([key]) => !SENDER_META_KEYS.includes(key as (typeof SENDER_META_KEYS)[number])),
  );
  const { _meta, ...rest } = params;
  return Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept };
}
