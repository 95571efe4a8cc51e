/** The members of `_meta` that the protocol reserves, and how to read and remove them. */
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

/** The keys by which a request says who sends it; any of them marks the request as modern. */
const ENVELOPE = [MetaKey.protocolVersion, MetaKey.clientInfo, MetaKey.clientCapabilities, MetaKey.logLevel] as const;

/** The `_meta` of params or of a result; undefined when there is none that is an object. */
export function metaOf(holder: JsonObject | undefined): JsonObject | undefined {
  const meta = holder?.['_meta'];
  return isJsonObject(meta) ? meta : undefined;
}

/** True when the params carry any of the keys that only a modern request has. */
export function claimsModern(params: JsonObject | undefined): boolean {
  const meta = metaOf(params);
  return meta !== undefined && ENVELOPE.some((key) => Object.hasOwn(meta, key));
}

/** The progress token of a request, or undefined when it asked for no progress. */
export function progressTokenOf(params: JsonObject | undefined): RequestId | undefined {
  const token = metaOf(params)?.[MetaKey.progressToken];
  return isRequestId(token) ? token : undefined;
}

/** A copy with these members of `_meta` set; the original is left alone. */
export function withMeta(holder: JsonObject | undefined, members: JsonObject): JsonObject {
  return { ...holder, _meta: { ...metaOf(holder), ...members } };
}

/**
 * A copy without the keys that name version, client and capabilities; `_meta` goes when nothing is
 * left in it.
 */
export function withoutEnvelope(params: JsonObject): JsonObject {
  const meta = metaOf(params);
  if (meta === undefined) return params;
  const kept = Object.fromEntries(
    Object.entries(meta).filter(([key]) => !ENVELOPE.includes(key as (typeof ENVELOPE)[number])),
  );
  const { _meta, ...rest } = params;
  return Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept };
}
