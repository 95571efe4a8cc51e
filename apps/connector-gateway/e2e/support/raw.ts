/** A received answer. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  json: { result?: Record<string, unknown>; error?: { code: number; message: string; data?: unknown } };
}

/** Posts one JSON-RPC message; `headers` may replace any header. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<RawAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    ...(signal && { signal }),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

/** A complete request of the era without sessions. */
export function modern(
  url: string,
  token: string,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return post(
    url,
    {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, _meta: { ...meta, ...(params['_meta'] as object | undefined) } },
    },
    {
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
  );
}

/** Begins a legacy session. @returns its id */
export async function initialize(
  url: string,
  token: string,
  capabilities: Record<string, unknown> = {},
): Promise<string> {
  const response = await post(
    url,
    {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } },
    },
    { authorization: `Bearer ${token}` },
  );
  const id = response.headers.get('mcp-session-id');
  if (id === null) throw new Error(`no session: ${response.status} ${response.text}`);
  return id;
}

/** A request inside a session. */
export function inSession(
  url: string,
  token: string,
  session: string,
  method: string,
  params: Record<string, unknown> = {},
): Promise<RawAnswer> {
  return post(
    url,
    { jsonrpc: '2.0', id: 7, method, params },
    { authorization: `Bearer ${token}`, 'mcp-session-id': session },
  );
}

function parse(text: string): RawAnswer['json'] {
  const data = /^data: (.+)$/m.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(data) as RawAnswer['json'];
  } catch {
    return {};
  }
}
