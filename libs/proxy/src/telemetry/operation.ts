/** The facts of one exchange that spans and metrics are made of. */
import { Header } from '@gatehouse/mcp/headers';
import type { JsonObject, RpcMessage } from '@gatehouse/mcp/json-rpc';
import { getMeta, MetaKey } from '@gatehouse/mcp/meta';
import type { Exchange } from '../pipeline/exchange.ts';
import type { KnownClient } from '../pipeline/known-clients.ts';
import type { NameKind } from './known-names.ts';
import type { ServerTransport } from '../pipeline/telemetry.ts';

/** The item that a request names. */
export interface OperationTarget {
  readonly kind: NameKind | 'resource';
  readonly name: string;
}

/** The facts at the start of an exchange. */
export interface OperationStart {
  readonly transport: ServerTransport;
  /** The method of MCP; undefined for a request without a message of MCP. */
  readonly method: string | undefined;
  readonly params: JsonObject | undefined;
  /** The id of the request; undefined for a notification. */
  readonly requestId: string | undefined;
  readonly target: OperationTarget | undefined;
}

/** The facts at the end of an exchange. */
export interface OperationEnd {
  /** The status of HTTP; 0: the client left before it. */
  readonly status: number;
  readonly durationMs: number;
  readonly client: KnownClient | undefined;
  readonly session: string | undefined;
  readonly protocolVersion: string | undefined;
  /** The kind of the error, in the values of the conventions; undefined: none. */
  readonly errorType: string | undefined;
  /** The code of the error of JSON-RPC. */
  readonly rpcCode: number | undefined;
}

const TARGETS: ReadonlyMap<string, { kind: OperationTarget['kind']; member: string }> = new Map([
  ['tools/call', { kind: 'tool', member: 'name' }],
  ['prompts/get', { kind: 'prompt', member: 'name' }],
  ['resources/read', { kind: 'resource', member: 'uri' }],
  ['resources/subscribe', { kind: 'resource', member: 'uri' }],
  ['resources/unsubscribe', { kind: 'resource', member: 'uri' }],
]);

/** Reads the facts of a request. */
export function readStart({ message: read }: Exchange, transport: ServerTransport): OperationStart {
  const call = read?.kind === 'request' || read?.kind === 'notification' ? read.message : undefined;
  const target = call === undefined ? undefined : TARGETS.get(call.method);
  const name = target === undefined ? undefined : call?.params?.[target.member];
  return {
    transport,
    method: call?.method,
    params: call?.params,
    requestId: read?.kind === 'request' ? String(read.message.id) : undefined,
    target: target !== undefined && typeof name === 'string' ? { kind: target.kind, name } : undefined,
  };
}

/** Reads the facts of a complete exchange. @param response undefined: no response was seen */
export function readEnd(
  exchange: Exchange,
  { params }: OperationStart,
  {
    response,
    client,
    durationMs,
  }: { response: RpcMessage | undefined; client: KnownClient | undefined; durationMs: number },
): OperationEnd {
  const { headers } = exchange.request;
  const status = exchange.response.headersSent ? exchange.response.statusCode : 0;
  const rpcCode = response !== undefined && 'error' in response ? response.error.code : undefined;
  return {
    ...{ status, durationMs, client, rpcCode },
    session: toText(headers[Header.sessionId]) ?? exchange.openedSession,
    protocolVersion:
      toText(headers[Header.protocolVersion]) ??
      toText(getMeta(params)?.[MetaKey.protocolVersion]) ??
      toText(params?.['protocolVersion']),
    errorType: getErrorType(exchange, status, response),
  };
}

function getErrorType(
  { response, interruption }: Exchange,
  status: number,
  answer: RpcMessage | undefined,
): string | undefined {
  if (answer !== undefined && 'error' in answer) return String(answer.error.code);
  if (answer !== undefined && 'result' in answer && answer.result['isError'] === true) return 'tool_error';
  if (status >= 400) return String(status);
  if (interruption === 'server' && answer === undefined) return 'server_disconnected';
  return response.writableFinished ? undefined : 'client_disconnected';
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
