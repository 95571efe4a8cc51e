/**
 * The audit event of one exchange: one line of JSON. Its members are those of the tools with the
 * same format, so that their readers understand it.
 */
import type { JsonObject, ReadMessage, RpcMessage } from '@gatehouse/mcp/json-rpc';
import { TYPES_BY_METHOD } from './audit-event-types.ts';
import { redact, redactText } from './redaction.ts';

/** The methods with a target, its type and the member of the params that names it. */
const TARGETS: ReadonlyMap<string, { type: string; member: string }> = new Map([
  ['tools/call', { type: 'tool', member: 'name' }],
  ['prompts/get', { type: 'prompt', member: 'name' }],
  ['resources/read', { type: 'resource', member: 'uri' }],
  ['resources/subscribe', { type: 'resource', member: 'uri' }],
  ['resources/unsubscribe', { type: 'resource', member: 'uri' }],
]);

const MAX_TEXT = 256;

/** The facts of an exchange. */
export interface AuditedExchange {
  readonly id: string;
  readonly at: Date;
  readonly durationMs: number;
  readonly component: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly requestId: string | undefined;
  /** Empty without authentication. */
  readonly subject: string;
  /** The name of the caller; empty without authentication. */
  readonly user: string;
  readonly client: { readonly name: string; readonly version: string } | undefined;
  readonly httpMethod: string;
  readonly path: string;
  readonly opensStream: boolean;
  /** 0: the client left before the response. */
  readonly status: number;
  /** The side that left before the end of the answer. */
  readonly interruption: 'client' | 'server' | undefined;
  readonly message: ReadMessage | undefined;
  /** The response of the server, once it was seen. */
  readonly response: RpcMessage | undefined;
  /** Whether errors in responses decide on the outcome. */
  readonly detectErrors: boolean;
  /** The request in the event; undefined: the event does not have it. */
  readonly request: unknown;
  /** The result in the event; undefined: the event does not have it. */
  readonly result: unknown;
}

/** @returns the type of the event of an exchange */
export function getEventType(exchange: Pick<AuditedExchange, 'message' | 'opensStream'>): string {
  const { message, opensStream } = exchange;
  if (message?.kind === 'request' || message?.kind === 'notification')
    return TYPES_BY_METHOD.get(message.message.method) ?? 'mcp_request';
  if (message?.kind === 'response') return 'mcp_request';
  return opensStream ? 'sse_connection' : 'http_request';
}

/** @returns the line of the log, without its line end */
export function formatEvent(exchange: AuditedExchange): string {
  const { message, response, request, result, subject, user, client } = exchange;
  const call = message?.kind === 'request' || message?.kind === 'notification' ? message.message : undefined;
  const error = response !== undefined && 'error' in response ? response.error : undefined;
  const time = exchange.at.toISOString();
  const hasData = request !== undefined || result !== undefined;
  // Members without a value are not written.
  return JSON.stringify({
    time,
    level: 'AUDIT',
    msg: 'audit_event',
    audit_id: exchange.id,
    type: getEventType(exchange),
    logged_at: time,
    outcome: getOutcome(exchange),
    component: exchange.component,
    source: {
      type: 'network',
      value: exchange.address,
      extra: { user_agent: cut(exchange.userAgent), request_id: cut(exchange.requestId) },
    },
    subjects: {
      user: user === '' ? 'anonymous' : user.slice(0, MAX_TEXT),
      user_id: cut(subject),
      client_name: cut(client?.name),
      client_version: cut(client?.version),
    },
    target: describeTarget(call?.method, call?.params, exchange),
    metadata: {
      extra: {
        duration_ms: Math.round(exchange.durationMs),
        transport: exchange.opensStream ? 'sse' : 'http',
        jsonrpc_error_code: error?.code,
        jsonrpc_error_message: error && redactText(error.message.slice(0, 4 * MAX_TEXT)).slice(0, MAX_TEXT),
      },
    },
    data: hasData ? { request: redact(request), response: redact(result) } : undefined,
  });
}

function describeTarget(method: string | undefined, params: JsonObject | undefined, exchange: AuditedExchange) {
  const target = method === undefined ? undefined : TARGETS.get(method);
  const name = target === undefined ? undefined : params?.[target.member];
  return {
    endpoint: exchange.path,
    method: method?.slice(0, MAX_TEXT) ?? exchange.httpMethod,
    type: target?.type ?? (exchange.opensStream ? 'sse_endpoint' : 'endpoint'),
    name: typeof name === 'string' ? redactText(name.slice(0, 4 * MAX_TEXT)) : undefined,
  };
}

/** An error in a response of status 200 is one of the application: of JSON-RPC, or of a tool. */
function getOutcome({ status, interruption, response, detectErrors }: AuditedExchange): string {
  if (status === 401 || status === 403) return 'denied';
  // A stream that ends after its response has served.
  if (status >= 500 || (interruption === 'server' && response === undefined)) return 'error';
  if (status >= 400 || status === 0 || interruption === 'client') return 'failure';
  return detectErrors && response !== undefined && isError(response) ? 'application_error' : 'success';
}

const isError = (response: RpcMessage): boolean =>
  'error' in response || ('result' in response && response.result['isError'] === true);

const cut = (value: string | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : value.slice(0, MAX_TEXT);
