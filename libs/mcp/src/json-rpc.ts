/**
 * JSON-RPC 2.0 in the form of MCP: single messages without batches, string or integer ids, objects
 * as params. An unknown id is omitted and never null.
 */
import { ErrorCode, createErrorResponse } from './errors.ts';
import type { RequestId, RpcErrorResponse } from './errors.ts';

export type { RequestId };

/** A parsed JSON object. */
export type JsonObject = Record<string, unknown>;

/** A message that expects a response. */
export interface RpcRequest {
  jsonrpc: '2.0';
  id: RequestId;
  method: string;
  params?: JsonObject;
}

/** A message that expects no response. */
export interface RpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: JsonObject;
}

/** The successful response to a request. */
export interface RpcResultResponse {
  jsonrpc: '2.0';
  id: RequestId;
  result: JsonObject;
}

/** A response to a request. */
export type RpcResponse = RpcResultResponse | RpcErrorResponse;

/** Any message. */
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** A classified message. `invalid` contains the error to answer with HTTP status 400. */
export type ReadMessage =
  | { kind: 'request'; message: RpcRequest }
  | { kind: 'notification'; message: RpcNotification }
  | { kind: 'response'; message: RpcResponse }
  | { kind: 'invalid'; error: RpcErrorResponse };

/** Maximum nesting. Deeper values could overflow the stack of a recursive serializer. */
const MAX_DEPTH = 256;

/** Whether a value is a valid id of a request. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** Whether a value is a JSON object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses one message. It never throws: other text is `invalid` with the error to answer, which
 * contains the id when there is a valid one.
 */
export function readMessage(text: string): ReadMessage {
  if (isTooDeep(text)) return createInvalid(undefined, `Messages nest at most ${MAX_DEPTH} levels deep.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {
      kind: 'invalid',
      error: createErrorResponse(undefined, ErrorCode.parseError, 'The message is not valid JSON.'),
    };
  }
  return readValue(value);
}

/**
 * Reads the messages of a batch. Only revision 2025-03-26 has batches.
 * @param maximum the number of messages that are read
 * @returns no message for other text
 */
export function readBatch(text: string, maximum: number): ReadMessage[] {
  if (!/^\s*\[/.test(text) || isTooDeep(text)) return [];
  try {
    const values = JSON.parse(text) as unknown[];
    return values.slice(0, maximum).map(readValue);
  } catch {
    return [];
  }
}

/** Classifies a parsed value as a message. */
export function readValue(value: unknown): ReadMessage {
  if (Array.isArray(value)) return createInvalid(undefined, 'Batches are not supported: send one message at a time.');
  if (!isJsonObject(value)) return createInvalid(undefined, 'A JSON-RPC message is a JSON object.');
  const id = isRequestId(value['id']) ? value['id'] : undefined;
  if (value['jsonrpc'] !== '2.0') return createInvalid(id, 'The member "jsonrpc" must be "2.0".');
  const isResponse = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  if (Object.hasOwn(value, 'method')) {
    if (isResponse) return createInvalid(id, 'A message is a request or a response, not both.');
    return readCall(value, id);
  }
  if (!isResponse) return createInvalid(id, 'A message has a "method", a "result" or an "error".');
  return readResponse(value, id);
}

function readCall(value: JsonObject, id: RequestId | undefined): ReadMessage {
  const { method, params } = value;
  if (typeof method !== 'string' || method === '')
    return createInvalid(id, 'The member "method" must be a non-empty string.');
  if (params !== undefined && !isJsonObject(params)) return createInvalid(id, 'The member "params" must be an object.');
  const call = { jsonrpc: '2.0' as const, method, ...(params === undefined ? {} : { params }) };
  if (!Object.hasOwn(value, 'id')) return { kind: 'notification', message: call };
  if (id === undefined) return createInvalid(undefined, 'The member "id" must be a string or an integer.');
  return { kind: 'request', message: { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) } };
}

function readResponse(value: JsonObject, id: RequestId | undefined): ReadMessage {
  const { result, error } = value;
  if (Object.hasOwn(value, 'error')) {
    if (Object.hasOwn(value, 'result')) return createInvalid(id, 'A response has a "result" or an "error", not both.');
    if (!isJsonObject(error) || !Number.isSafeInteger(error['code']) || typeof error['message'] !== 'string') {
      return createInvalid(id, 'The member "error" must have an integer "code" and a string "message".');
    }
    // The response to a message with an unknown id has no id. Some servers send null instead.
    if (id === undefined && value['id'] !== undefined && value['id'] !== null) {
      return createInvalid(undefined, 'The member "id" must be a string or an integer.');
    }
    const { code, message, data } = error as { code: number; message: string; data?: unknown };
    return { kind: 'response', message: createErrorResponse(id, code, message, data) };
  }
  if (id === undefined) return createInvalid(undefined, 'The member "id" must be a string or an integer.');
  if (!isJsonObject(result)) return createInvalid(id, 'The member "result" must be an object.');
  return { kind: 'response', message: { jsonrpc: '2.0', id, result } };
}

function createInvalid(id: RequestId | undefined, text: string): ReadMessage {
  return { kind: 'invalid', error: createErrorResponse(id, ErrorCode.invalidRequest, text) };
}

function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
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
