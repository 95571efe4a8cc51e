// Usage: PORT=<port> node misbehaving-server.mjs
// An MCP server with one tool for each way to misbehave. It prints `ready` when it listens.
import { createServer } from 'node:http';

const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** Handlers by tool: `send` writes an event of the stream, `end` ends the stream. */
const TOOLS = {
  late: ({ id, send, end }) =>
    setTimeout(() => {
      send({ id, result: text('late') });
      end();
    }, 1_500),
  twice: ({ id, send, end }) => {
    send({ id, result: text('first') });
    send({ id, result: text('second') });
    end();
  },
  foreign: ({ send, end }) => {
    send({ id: 999_999, result: text('foreign') });
    end();
  },
  cuts: ({ send, response }) => {
    send({ method: 'notifications/message', params: { level: 'info', data: 'about to cut' } });
    response.destroy();
  },
  crashes: () => process.exit(1),
  floods: async ({ id, send, end, response }) => {
    for (let sent = 0; sent < 2_000 && !response.destroyed; sent += 1) {
      const isWritten = send({ method: 'notifications/message', params: { level: 'error', data: `line ${sent}` } });
      if (!isWritten) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    }
    send({ id, result: text('flooded') });
    end();
  },
  asks: ({ id, send, end }) => {
    send({ id: 'a', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
    send({ id: 'b', method: 'roots/list' });
    send({ id: 'c', method: 'elicitation/create', params: { message: 'password?', requestedSchema: {} } });
    send({ id: 'd', method: 'tools/call', params: { name: 'good__echo' } });
    send({ id, result: text('asked') });
    end();
  },
  huge: ({ id, send, end }) => {
    send({ id, result: text('x'.repeat(64_000_000)) });
    end();
  },
};

const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: 'misbehaving', version: '1' },
  }),
  'tools/list': () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema: { type: 'object' } })),
  }),
  'logging/setLevel': () => ({}),
  ping: () => ({}),
};

function answer({ id, method, params }, response) {
  if (method === 'tools/call') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (message) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    void TOOLS[params.name]({ id, send, end: () => response.end(), response });
    return;
  }
  if (id === undefined || method === undefined) {
    response.writeHead(202).end();
    return;
  }
  const result = METHODS[method]?.();
  const outcome = result ? { result } : { error: { code: -32601, message: 'there is no such method' } };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
}

createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => answer(JSON.parse(body), response));
}).listen(Number(process.env.PORT), '127.0.0.1', () => process.stderr.write('ready\n'));
