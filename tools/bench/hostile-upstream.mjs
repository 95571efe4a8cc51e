import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { URL } from 'node:url';

const TOOL = '{"name":"only","inputSchema":{"type":"object"}}';
const VALID_RESULTS = {
  initialize:
    '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1"}}',
  'tools/list': `{"tools":[${TOOL}]}`,
  'tools/call': '{"content":[{"type":"text","text":"good"}]}',
};

/** Framings of a result: JSON, an event stream with one event, or with thousands before it. */
export const framings = {
  JSON: (message) => message,
  'event stream': (message) => Buffer.concat([Buffer.from('data: '), message, Buffer.from('\n\n')]),
  'event stream of 20,000 events': (message) =>
    Buffer.concat([
      Buffer.from(
        'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n'.repeat(
          20_000,
        ),
      ),
      framings['event stream'](message),
    ]),
};

/** Returns a framing with 15 MB of a repeated text before the only event of the stream. */
const flood = (text) => (message) =>
  Buffer.concat([Buffer.from(text.repeat(Math.floor(15e6 / text.length))), framings['event stream'](message)]);
/** Event streams with almost no data, by name. */
export const floods = {
  'line breaks': flood('\n'),
  'returns and line breaks': flood('\r\n'),
  'empty comments': flood(':\n\n'),
  'events without data': flood('event: message\n\n'),
  'events with empty data': flood('data:\n\n'),
  'events with empty objects': flood('data:{}\n\n'),
};

/**
 * Starts an MCP server with one path for each connector. The enterprise manager gets valid
 * responses at paths that begin with `/good`.
 * @returns `url`; `count`: the calls of a method by a gateway at a path; `setResult`: sets the
 * result of a method at a path, as text; `forget`: removes a path; `end`
 */
export async function startHostileUpstream() {
  const responses = new Map();
  const counts = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method !== 'POST') return response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    const { id, method, params } = JSON.parse(Buffer.concat(chunks));
    if (id === undefined) return response.writeHead(202).end();
    const { pathname } = new URL(request.url, 'http://upstream');
    const key = `${method} ${pathname}`;
    // The id of a session is the name of its client.
    const client = request.headers['mcp-session-id'] ?? params?.clientInfo?.name;
    const isManager = client === 'gatehouse-enterprise-manager';
    if (!isManager) counts.set(key, (counts.get(key) ?? 0) + 1);
    const hostile = isManager && pathname.startsWith('/good') ? undefined : responses.get(key);
    const result = hostile?.result ?? VALID_RESULTS[method];
    const json = { 'content-type': 'application/json' };
    if (result === undefined)
      return response
        .writeHead(200, json)
        .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown method' } }));
    const message = Buffer.concat([
      Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`),
      Buffer.from(result),
      Buffer.from('}'),
    ]);
    const framing = hostile?.framing ?? 'JSON';
    response.writeHead(200, {
      'content-type': framing === 'JSON' ? 'application/json' : 'text/event-stream',
      ...(method === 'initialize' && { 'mcp-session-id': client }),
    });
    response.end((framings[framing] ?? floods[framing])(message));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    count: (method, path) => counts.get(`${method} ${path}`) ?? 0,
    setResult: (method, path, result, framing) => responses.set(`${method} ${path}`, { result, framing }),
    forget: (path) => {
      for (const map of [responses, counts])
        for (const key of map.keys()) if (key.endsWith(` ${path}`)) map.delete(key);
    },
    end: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
