/**
 * Classifies a posted message by protocol era. The body decides. Headers must match it, so that a
 * router that reads headers and a server that reads the body see the same request.
 */
import { ErrorCode, createErrorResponse } from './errors.ts';
import type { RpcErrorResponse } from './errors.ts';
import { decodeHeaderValue, getMirroredName } from './headers.ts';
import type { RpcNotification, RpcRequest } from './json-rpc.ts';
import { isJsonObject } from './json-rpc.ts';
import { hasModernKey, getMeta, MetaKey } from './meta.ts';
import { isModernRevision, MODERN_REVISIONS } from './revisions.ts';

/** The relevant headers of a request; undefined when absent. */
export interface PostedHeaders {
  protocolVersion: string | undefined;
  method: string | undefined;
  name: string | undefined;
}

/** `legacy` needs a session, `modern` has none, `refused` is answered with its status and error. */
export type Classification =
  { era: 'legacy' } | { era: 'modern'; revision: string } | { era: 'refused'; status: 400; error: RpcErrorResponse };

/**
 * Classifies a posted request or notification.
 * @param supported revisions for the error about an unsupported one
 */
export function classifyPost(
  headers: PostedHeaders,
  message: RpcRequest | RpcNotification,
  supported: readonly string[] = MODERN_REVISIONS,
): Classification {
  const id = 'id' in message ? message.id : undefined;
  const refuse = (code: number, text: string, data?: unknown): Classification => ({
    era: 'refused',
    status: 400,
    error: createErrorResponse(id, code, text, data),
  });
  const header = headers.protocolVersion?.trim();
  const isModernHeader = header !== undefined && isModernRevision(header);
  if (!hasModernKey(message.params)) {
    if (!isModernHeader) return { era: 'legacy' };
    if (id === undefined) return { era: 'modern', revision: header };
    if (message.method === 'initialize') {
      return refuse(ErrorCode.headerMismatch, `"initialize" does not exist in protocol version ${header}.`, { header });
    }
    return refuse(
      ErrorCode.invalidParams,
      `Protocol version ${header} needs params._meta["${MetaKey.protocolVersion}"].`,
    );
  }
  const meta = getMeta(message.params);
  const claimed = meta?.[MetaKey.protocolVersion];
  // A legacy client can send reserved keys by accident; its header identifies it.
  if (claimed === undefined && header !== undefined && !isModernHeader) return { era: 'legacy' };
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
  return checkMirroredHeaders(headers, message, header, refuse) ?? { era: 'modern', revision: claimed };
}

function checkMirroredHeaders(
  headers: PostedHeaders,
  message: RpcRequest | RpcNotification,
  version: string | undefined,
  refuse: (code: number, text: string, data?: unknown) => Classification,
): Classification | undefined {
  const createMismatch = (text: string) => refuse(ErrorCode.headerMismatch, text);
  if (version === undefined) return createMismatch('The MCP-Protocol-Version header is required.');
  if (headers.method === undefined) return createMismatch('The Mcp-Method header is required.');
  if (headers.method.trim() !== message.method)
    return createMismatch('The Mcp-Method header and the body name different methods.');
  const expected = getMirroredName(message.method, message.params);
  if (expected === undefined) return undefined;
  if (headers.name === undefined) return createMismatch(`The Mcp-Name header is required for ${message.method}.`);
  const name = decodeHeaderValue(headers.name.trim());
  if (name === undefined) return createMismatch('The Mcp-Name header is not valid base64 of UTF-8.');
  return name === expected ? undefined : createMismatch('The Mcp-Name header and the body have different names.');
}
