/** Describes a kept request: who asked for which method. Arguments and headers are left out. */
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { getMeta, MetaKey } from '@gatehouse/mcp/meta';

/** The name and version of a client, as it says itself. */
export interface McpClientInfo {
  readonly name: string;
  readonly version: string;
}

/** One request as it is kept. Its body is parsed when the record is read. */
export interface KeptRequest {
  readonly at: number;
  readonly httpMethod: string;
  readonly status: number;
  readonly durationMs: number;
  /** Undefined when it was streamed or is too large. */
  readonly body: Buffer | undefined;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly userAgent: string | undefined;
  readonly client: McpClientInfo | undefined;
}

/** One request as `gatehouse inspect` shows it. */
export interface RequestRecord {
  /** The start, ISO 8601. */
  readonly at: string;
  /** Undefined for a client that did not introduce itself. */
  readonly client?: McpClientInfo;
  readonly user_agent?: string;
  readonly http_method: string;
  /** The method of MCP; `response` for an answer to the server. Absent when it is unknown. */
  readonly method?: string;
  /** The name of the tool or of the prompt. */
  readonly target?: string;
  /** The HTTP status; 0 when the client left before the response. */
  readonly status: number;
  readonly duration_ms: number;
  readonly request_bytes: number;
  /** With the headers of the response. */
  readonly response_bytes: number;
}

/** The methods whose parameter `name` is the name of a tool or prompt. */
const NAMED_METHODS: readonly unknown[] = ['tools/call', 'prompts/get'];
/** The longest text of a client that is shown. */
const MAX_LENGTH = 200;

/** Describes a request. A body that is no message of MCP gives no method. */
export function describeRequest(kept: KeptRequest): RequestRecord {
  const message = kept.body === undefined ? undefined : parse(kept.body);
  const method = message && ('method' in message ? message['method'] : 'response');
  const params = message?.['params'];
  const target = NAMED_METHODS.includes(method) && isJsonObject(params) ? toText(params['name']) : undefined;
  const client = kept.client ?? (isJsonObject(params) ? toClient(getMeta(params)?.[MetaKey.clientInfo]) : undefined);
  const shown = toText(method);
  return {
    at: new Date(kept.at).toISOString(),
    ...(client !== undefined && { client }),
    ...(kept.userAgent !== undefined && { user_agent: kept.userAgent.slice(0, MAX_LENGTH) }),
    http_method: kept.httpMethod,
    ...(shown !== undefined && { method: shown }),
    ...(target !== undefined && { target }),
    status: kept.status,
    duration_ms: Math.round(kept.durationMs * 10) / 10,
    request_bytes: kept.requestBytes,
    response_bytes: kept.responseBytes,
  };
}

/** Reads the client from the body of `initialize`. */
export function readClient(body: Buffer): McpClientInfo | undefined {
  const message = parse(body);
  const params = message?.['method'] === 'initialize' ? message['params'] : undefined;
  return isJsonObject(params) ? toClient(params['clientInfo']) : undefined;
}

function toClient(value: unknown): McpClientInfo | undefined {
  if (!isJsonObject(value)) return undefined;
  return { name: toText(value['name']) ?? '', version: toText(value['version']) ?? '' };
}

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MAX_LENGTH) : undefined;

function parse(body: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
