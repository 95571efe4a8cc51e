// Usage: node upstreams.mjs TOOLS,TOOLS,…
// One process with a stateless MCP server for each number: it lists so many tools and answers calls
// of `echo`. Prints the ports as a JSON list. Descriptions of tools contain the requested path, so
// a list shows with which address it was fetched.
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer } from 'node:http';

const inputSchema = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };

/** Returns the tools `echo`, `tool_1`, `tool_2` and so on. */
const createTools = (count, path) =>
  Array.from({ length: count }, (_, at) => ({
    name: at === 0 ? 'echo' : `tool_${at}`,
    title: `Tool ${at}`,
    description: `Returns its message without a change. Address ${path}, tool ${at}.`,
    inputSchema,
  }));

function createAnswer({ id, method, params }, tools, path) {
  const results = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'echo', version: '1' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: createTools(tools, path) }),
    'tools/call': () => ({ content: [{ type: 'text', text: `Echo: ${params.arguments.message}` }] }),
  };
  const result = results[method]?.();
  const error = { code: -32601, message: 'Method not found' };
  return JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
}

async function startServer(tools) {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end();
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      if (message.id === undefined) return response.writeHead(202, { 'content-length': 0 }).end();
      const body = createAnswer(message, tools, request.url);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      response.writeHead(200, headers).end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server.address().port;
}

const ports = await Promise.all(process.argv[2].split(',').map((tools) => startServer(Number(tools))));
console.log(JSON.stringify(ports));
