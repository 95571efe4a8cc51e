// Usage: node echo-server.mjs http PORT, or node echo-server.mjs stdio
// A small stateless MCP server with JSON responses: initialize, tools/list, tools/call of `echo`.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const tool = { name: 'echo', inputSchema: { type: 'object', properties: { message: { type: 'string' } } } };

function result({ method, params }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'echo', version: '1' };
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools: [tool] };
  return { content: [{ type: 'text', text: `Echo: ${params.arguments.message}` }] };
}

const createResponse = (message) => JSON.stringify({ jsonrpc: '2.0', id: message.id, result: result(message) });

function serveHttp(port) {
  const server = createServer((request, response) => {
    // A stream without events, as servers open it for their notifications.
    if (request.method === 'GET')
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    if (request.method !== 'POST') return response.writeHead(405).end();
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      if (message.id === undefined) return response.writeHead(202, { 'content-length': 0 }).end();
      const body = createResponse(message);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      // The id lets the session pass of a proxy do its work.
      if (message.method === 'initialize') headers['mcp-session-id'] = randomUUID();
      response.writeHead(200, headers).end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(port, '127.0.0.1');
}

function serveStdio() {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    let out = '';
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.id !== undefined && message.method !== undefined) out += `${createResponse(message)}\n`;
    }
    if (out !== '') process.stdout.write(out);
  });
}

if (process.argv[2] === 'stdio') serveStdio();
else serveHttp(Number(process.argv[3]));
