// Usage: node upstreams.mjs TOOLS,TOOLS,… [SEARCHABLE,SEARCHABLE,…]
// One process with a stateless MCP server for each number: it lists so many tools and answers calls
// of `echo`. Servers of the second list have tools with different texts. Prints the ports as a JSON
// list. Descriptions of plain tools contain the requested path, so a list shows with which address
// it was fetched.
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSearchableTools } from './searchable-tools.mjs';

const inputSchema = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] };

/** Returns the tools `echo`, `tool_1`, `tool_2` and so on. */
const createTools = (count, path) =>
  Array.from({ length: count }, (_, at) => ({
    name: at === 0 ? 'echo' : `tool_${at}`,
    title: `Tool ${at}`,
    description: `Returns its message without a change. Address ${path}, tool ${at}.`,
    inputSchema,
  }));

function createAnswer({ id, method, params }, listTools, path) {
  const results = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'echo', version: '1' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: listTools(path) }),
    'tools/call': () => ({ content: [{ type: 'text', text: `Echo: ${params.arguments.message}` }] }),
  };
  const result = results[method]?.();
  const error = { code: -32601, message: 'Method not found' };
  return JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) });
}

async function startServer(listTools) {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end();
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      if (message.id === undefined) return response.writeHead(202, { 'content-length': 0 }).end();
      const body = createAnswer(message, listTools, request.url);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      response.writeHead(200, headers).end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server.address().port;
}

const readNumbers = (text = '') => (text === '' ? [] : text.split(',').map(Number));
const plain = readNumbers(process.argv[2]).map((count) => (path) => createTools(count, path));
const searchable = readNumbers(process.argv[3]).map((count, at) => {
  const tools = createSearchableTools(count, at * count);
  return () => tools;
});
console.log(JSON.stringify(await Promise.all([...plain, ...searchable].map(startServer))));
