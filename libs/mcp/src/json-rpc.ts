/**
 * JSON-RPC 2.0 as the Model Context Protocol uses it: single messages (no batches), string or
 * integer ids, params as objects, and an id that is left out, never null, where it is not known.
 */
import { ErrorCode, errorResponse } from './errors.ts';
import type { RequestId, RpcErrorResponse } from './errors.ts';

export type { RequestId };

/** A JSON object as it came off the wire. */
export type JsonObject = Record<string, unknown>;

/** A message that expects an answer. */
export interface RpcRequest {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: JsonObject;
}

/** A message that expects none. */
export interface RpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: JsonObject;
}

/** The answer to a request that succeeded. */
export interface RpcResultResponse {
  jsonrpc: '2.0';
  id: RequestId;
  result: JsonObject;
}

/** Either answer to a request. */
export type RpcResponse = RpcResultResponse | RpcErrorResponse;

/** Anything one side may send the other. */
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/**
 * What a text turned out to be. `invalid` carries the answer to give: HTTP status 400 and a
 * JSON-RPC error.
 */
export type ReadMessage =
  | { kind: 'request'; message: RpcRequest }
  | { kind: 'notification'; message: RpcNotification }
  | { kind: 'response'; message: RpcResponse }
  | { kind: 'invalid'; error: RpcErrorResponse };

/**
 * Deeper values are refused: writing them again would overflow the stack of a naive writer, here or
 * further on.
 */
const MAX_DEPTH = 256;

/** True for what may stand as the id of a request. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** True for a JSON object; arrays and null are none. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads one message. Never throws: what is not a message comes back as `invalid` with the error to
 * answer, which echoes the id when there is a usable one.
 */
export function readMessage(text: string): ReadMessage {
  if (nestsTooDeep(text)) return invalid(undefined, `Messages nest at most ${MAX_DEPTH} levels deep.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'invalid', error: errorResponse(undefined, ErrorCode.parseError, 'The message is not valid JSON.') };
  }
  return readValue(value);
}

/** The same for a value that has been parsed already. */
export function readValue(value: unknown): ReadMessage {
  if (Array.isArray(value)) return invalid(undefined, 'Batches are not supported: send one message at a time.');
  if (!isJsonObject(value)) return invalid(undefined, 'A JSON-RPC message is a JSON object.');
  const id = isRequestId(value['id']) ? value['id'] : undefined;
  if (value['jsonrpc'] !== '2.0') return invalid(id, 'The member "jsonrpc" must be "2.0".');
  const answers = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  if (Object.hasOwn(value, 'method')) {
    if (answers) return invalid(id, 'A message is a request or a response, not both.');
    return readCall(value, id);
  }
  if (!answers) return invalid(id, 'A message has a "method", a "result" or an "error".');
  return readResponse(value, id);
}

function readCall(value: JsonObject, id: RequestId | undefined): ReadMessage {
  const { method, params } = value;
  if (typeof method !== 'string' || method === '')
    return invalid(id, 'The member "method" must be a non-empty string.');
  if (params !== undefined && !isJsonObject(params)) return invalid(id, 'The member "params" must be an object.');
  const call = { jsonrpc: '2.0' as const, method, ...(params === undefined ? {} : { params }) };
  if (!Object.hasOwn(value, 'id')) return { kind: 'notification', message: call };
  if (id === undefined) return invalid(undefined, 'The member "id" must be a string or an integer.');
  return { kind: 'request', message: { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) } };
}

function readResponse(value: JsonObject, id: RequestId | undefined): ReadMessage {
  const { result, error } = value;
  if (Object.hasOwn(value, 'error')) {
    if (Object.hasOwn(value, 'result')) return invalid(id, 'A response has a "result" or an "error", not both.');
    if (!isJsonObject(error) || !Number.isSafeInteger(error['code']) || typeof error['message'] !== 'string') {
      return invalid(id, 'The member "error" must have an integer "code" and a string "message".');
    }
    // An answer to a message whose id could not be read has no id; null is how some servers write
    // that.
    if (id === undefined && value['id'] !== undefined && value['id'] !== null) {
      return invalid(undefined, 'The member "id" must be a string or an integer.');
    }
    const { code, message, data } = error as { code: number; message: string; data?: unknown };
    return { kind: 'response', message: errorResponse(id, code, message, data) };
  }
  if (id === undefined) return invalid(undefined, 'The member "id" must be a string or an integer.');
  if (!isJsonObject(result)) return invalid(id, 'The member "result" must be an object.');
  return { kind: 'response', message: { jsonrpc: '2.0', id, result } };
}

function invalid(id: RequestId | undefined, sentence: string): ReadMessage {
  return { kind: 'invalid', error: errorResponse(id, ErrorCode.invalidRequest, sentence) };
}

function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
