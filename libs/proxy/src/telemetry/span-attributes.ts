/**
 * The attributes of the span of an exchange: those of the semantic conventions of OpenTelemetry for
 * HTTP and MCP, and the names that earlier tools with the same configuration used.
 */
import type { Attributes } from '@opentelemetry/api';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import { redact, redactText } from '../audit/redaction.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { OperationEnd, OperationStart } from './operation.ts';

/** The settings of spans. */
export interface SpanSettings {
  /** The name of the server. */
  readonly server: string;
  /** Whether spans have the earlier names too. */
  readonly usesLegacyAttributes: boolean;
  /** Whether X-Forwarded-For names the client. */
  readonly trustsProxyHeaders: boolean;
  /** Attributes of every span. */
  readonly fixed: Attributes;
}

const MAX_TEXT = 256;
const MAX_ARGUMENT = 100;
const MAX_ARGUMENTS = 200;

/** Creates the attributes that are known at the start. */
export function createStartAttributes(exchange: Exchange, start: OperationStart, settings: SpanSettings): Attributes {
  const facts = readHttp(exchange);
  return {
    ...settings.fixed,
    ...createHttpAttributes(exchange, facts, settings.trustsProxyHeaders),
    ...createMcpAttributes(start, settings.server),
    ...(settings.usesLegacyAttributes && createLegacyAttributes(exchange, facts, start)),
  };
}

/** Creates the attributes that are known at the end. */
export function createEndAttributes(end: OperationEnd, start: OperationStart, settings: SpanSettings): Attributes {
  const isMcp = start.method !== undefined;
  return {
    'http.response.status_code': end.status,
    ...(end.errorType !== undefined && { 'error.type': end.errorType }),
    ...(end.rpcCode !== undefined && { 'rpc.response.status_code': String(end.rpcCode) }),
    ...(end.session !== undefined && { 'mcp.session.id': cut(end.session) }),
    ...(isMcp && end.protocolVersion !== undefined && { 'mcp.protocol.version': cut(end.protocolVersion) }),
    ...(end.client?.name && { 'mcp.client.name': cut(end.client.name) }),
    ...(end.client?.version && { 'mcp.client.version': cut(end.client.version) }),
    ...(settings.usesLegacyAttributes && {
      'http.status_code': end.status,
      'http.duration_ms': end.durationMs,
    }),
  };
}

interface HttpFacts {
  readonly scheme: string;
  readonly host: string | undefined;
  readonly query: string;
  readonly userAgent: string | undefined;
  readonly bodySize: number | undefined;
}

function readHttp({ request, target, path, body }: Exchange): HttpFacts {
  const { headers } = request;
  const length = headers['content-length'] === undefined ? Number.NaN : Number(headers['content-length']);
  return {
    scheme: 'http',
    host: headers.host,
    query: redactQuery(target.slice(path.length + 1)),
    userAgent: headers['user-agent'],
    bodySize: Number.isSafeInteger(length) ? length : body?.length,
  };
}

/** The values of a query can be keys of the server. */
const redactQuery = (query: string): string => query.slice(0, 4 * MAX_TEXT).replaceAll(/=[^&]*/g, '=REDACTED');

function createHttpAttributes(exchange: Exchange, facts: HttpFacts, trustsProxyHeaders: boolean): Attributes {
  const { request, method, path } = exchange;
  const { remotePort } = request.socket;
  const address = getAddress(exchange, trustsProxyHeaders);
  return {
    'http.request.method': method,
    'url.scheme': facts.scheme,
    'url.path': cut(path),
    'url.full': createUrl(facts, path),
    ...(facts.query !== '' && { 'url.query': facts.query }),
    ...createServerAttributes(facts.host),
    ...(facts.userAgent !== undefined && { 'user_agent.original': cut(facts.userAgent) }),
    ...(facts.bodySize !== undefined && { 'http.request.body.size': facts.bodySize }),
    'network.protocol.name': 'http',
    'network.protocol.version': request.httpVersion,
    ...(address !== undefined && { 'client.address': cut(address) }),
    ...(remotePort !== undefined && { 'client.port': remotePort }),
  };
}

/** Splits the Host header into address and port. */
function createServerAttributes(host: string | undefined): Attributes {
  const [, address, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(host ?? '') ?? [];
  return {
    ...(address && { 'server.address': cut(address) }),
    ...(port !== undefined && { 'server.port': Number(port) }),
  };
}

const createUrl = ({ scheme, host, query }: HttpFacts, path: string): string =>
  cut(`${scheme}://${host ?? ''}${path}${query === '' ? '' : `?${query}`}`, 4 * MAX_TEXT);

/** The trusted proxy has added the last address. */
function getAddress({ request }: Exchange, trustsProxyHeaders: boolean): string | undefined {
  const forwarded = trustsProxyHeaders ? request.headers['x-forwarded-for'] : undefined;
  return (typeof forwarded === 'string' && forwarded.split(',').at(-1)?.trim()) || request.socket.remoteAddress;
}

function createMcpAttributes({ transport, method, params, requestId, target }: OperationStart, server: string) {
  const attributes: Attributes = {
    'mcp.server.name': server,
    'network.transport': transport === 'stdio' ? 'pipe' : 'tcp',
  };
  if (method === undefined) return attributes;
  attributes['mcp.method.name'] = cut(method);
  attributes['rpc.system.name'] = 'jsonrpc';
  attributes['jsonrpc.protocol.version'] = '2.0';
  if (requestId !== undefined) attributes['jsonrpc.request.id'] = cut(requestId);
  if (target?.kind === 'resource') attributes['mcp.resource.uri'] = cut(redactText(target.name));
  if (target?.kind === 'prompt') attributes['gen_ai.prompt.name'] = cut(target.name);
  if (target?.kind !== 'tool') return attributes;
  attributes['gen_ai.tool.name'] = cut(target.name);
  attributes['gen_ai.operation.name'] = 'execute_tool';
  const args = describeArguments(params?.['arguments']);
  if (args !== '') attributes['gen_ai.tool.call.arguments'] = args;
  return attributes;
}

function createLegacyAttributes(
  { method: httpMethod, path }: Exchange,
  { scheme, host, query, userAgent, bodySize }: HttpFacts,
  { transport, method, params, requestId, target }: OperationStart,
): Attributes {
  const args = target?.kind === 'tool' ? describeArguments(params?.['arguments']) : '';
  return {
    'http.method': httpMethod,
    'http.url': createUrl({ scheme, host, query, userAgent, bodySize }, path),
    'http.scheme': scheme,
    'http.target': cut(path),
    'mcp.transport': transport,
    ...(host !== undefined && { 'http.host': cut(host) }),
    ...(query !== '' && { 'http.query': query }),
    ...(userAgent !== undefined && { 'http.user_agent': cut(userAgent) }),
    ...(bodySize !== undefined && { 'http.request_content_length': String(bodySize) }),
    ...(method !== undefined && { 'mcp.method': cut(method), 'rpc.system': 'jsonrpc', 'rpc.service': 'mcp' }),
    ...(requestId !== undefined && { 'mcp.request.id': cut(requestId) }),
    ...(target !== undefined && { 'mcp.resource.id': cut(redactText(target.name)) }),
    ...(target?.kind === 'tool' && { 'mcp.tool.name': cut(target.name) }),
    ...(args !== '' && { 'mcp.tool.arguments': args }),
    ...(target?.kind === 'prompt' && { 'mcp.prompt.name': cut(target.name) }),
  };
}

/** The arguments of a tool as `name=value, …`, without secrets and cut. */
function describeArguments(args: unknown): string {
  if (!isJsonObject(args)) return '';
  const first = Object.fromEntries(Object.entries(args).slice(0, 20));
  const texts = Object.entries(redact(shorten(first)) as object).map(
    ([name, value]) => `${name}=${cut(typeof value === 'string' ? value : JSON.stringify(value), MAX_ARGUMENT)}`,
  );
  return cut(texts.join(', '), MAX_ARGUMENTS);
}

/** Cuts long texts before secrets are searched in them. A cut secret keeps its beginning. */
const shorten = (args: object): object =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]: [string, unknown]) => [
      cut(name, MAX_ARGUMENT),
      typeof value === 'string'
        ? value.slice(0, 10 * MAX_ARGUMENT)
        : isJsonObject(value) || Array.isArray(value)
          ? describeSize(value)
          : value,
    ]),
  );

/** Structures can be large and have no short form. */
const describeSize = (value: object): string =>
  Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`;

const cut = (text: string, length = MAX_TEXT): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;
