/**
 * Which era a posted message belongs to. The body decides; headers are checked against it, so that
 * whoever routes by headers and whoever acts on the body cannot be told different things.
 */
import { ErrorCode, errorResponse } from './errors.ts';
import type { RpcErrorResponse } from './errors.ts';
import { decodeHeaderValue, mirroredName } from './headers.ts';
import type { RpcNotification, RpcRequest } from './json-rpc.ts';
import { isJsonObject } from './json-rpc.ts';
import { claimsModern, metaOf, MetaKey } from './meta.ts';
import { isModernRevision, MODERN_REVISIONS } from './revisions.ts';

/** The headers that matter here, as the request carried them; undefined where there was none. */
export interface PostedHeaders {
  protocolVersion: string | undefined;
  method: string | undefined;
  name: string | undefined;
}

/**
 * `legacy` needs a session; `modern` is complete in itself; a `refusal` is answered with its HTTP
 * status and error.
 */
export type Classification =
  { era: 'legacy' } | { era: 'modern'; revision: string } | { era: 'refused'; status: 400; error: RpcErrorResponse };

/**
 * Classifies a posted request or notification. `supported` lists the revisions to name when the
 * requested one is not served.
 */
export function classifyPost(
  headers: PostedHeaders,
  message: RpcRequest | RpcNotification,
  supported: readonly string[] = MODERN_REVISIONS,
): Classification {
  const id = 'id' in message ? message.id : undefined;
  const refuse = (code: number, sentence: string, data?: unknown): Classification => ({
    era: 'refused',
    status: 400,
    error: errorResponse(id, code, sentence, data),
  });
  const header = headers.protocolVersion?.trim();
  const modernHeader = header !== undefined && isModernRevision(header);
  if (!claimsModern(message.params)) {
    if (!modernHeader) return { era: 'legacy' };
    if (id === undefined) return { era: 'modern', revision: header };
    if (message.method === 'initialize') {
      return refuse(ErrorCode.headerMismatch, `"initialize" does not exist in protocol version ${header}.`, { header });
    }
    return refuse(
      ErrorCode.invalidParams,
      `Protocol version ${header} needs params._meta["${MetaKey.protocolVersion}"].`,
    );
  }
  const meta = metaOf(message.params);
  const claimed = meta?.[MetaKey.protocolVersion];
  // A legacy client may carry stray reserved keys; an explicit legacy header says what it is.
  if (claimed === undefined && header !== undefined && !modernHeader) return { era: 'legacy' };
  if (typeof claimed !== 'string') {
    return refuse(ErrorCode.invalidParams, `params._meta["${MetaKey.protocolVersion}"] must be a string.`);
  }
  if (header !== undefined && header !== claimed) {
    return refuse(ErrorCode.headerMismatch, 'The MCP-Protocol-Version header and the body name different versions.', {
      header,
      body: claimed,
    });
  }
  if (!isModernRevision(claimed)) {
    return refuse(ErrorCode.unsupportedProtocolVersion, 'Unsupported protocol version.', {
      supported,
      requested: claimed,
    });
  }
  if (id === undefined) return { era: 'modern', revision: claimed };
  if (!isJsonObject(meta?.[MetaKey.clientCapabilities])) {
    return refuse(ErrorCode.invalidParams, `params._meta["${MetaKey.clientCapabilities}"] must be an object.`);
  }
  return mirrors(headers, message, header, refuse) ?? { era: 'modern', revision: claimed };
}

function mirrors(
  headers: PostedHeaders,
  message: RpcRequest | RpcNotification,
  version: string | undefined,
  refuse: (code: number, sentence: string, data?: unknown) => Classification,
): Classification | undefined {
  const mismatch = (sentence: string) => refuse(ErrorCode.headerMismatch, sentence);
  if (version === undefined) return mismatch('The MCP-Protocol-Version header is required.');
  if (headers.method === undefined) return mismatch('The Mcp-Method header is required.');
  if (headers.method.trim() !== message.method)
    return mismatch('The Mcp-Method header and the body name different methods.');
  const expected = mirroredName(message.method, message.params);
  if (expected === undefined) return undefined;
  if (headers.name === undefined) return mismatch(`The Mcp-Name header is required for ${message.method}.`);
  const name = decodeHeaderValue(headers.name.trim());
  if (name === undefined) return mismatch('The Mcp-Name header is not valid base64 of UTF-8.');
  return name === expected ? undefined : mismatch('The Mcp-Name header and the body name different things.');
}
