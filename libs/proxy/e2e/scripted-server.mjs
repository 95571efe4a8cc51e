// node scripted-server.mjs [--modern | --either] [--refuse] [--slow]
// An MCP server on standard input and output with tools for tests. It refuses a second `initialize`
// and every request before the first one, as strict servers do.
import { createInterface } from 'node:readline';

let modern = process.argv.includes('--modern') || process.argv.includes('--either');
const cancelled = [];
const waiting = new Map();
const subscribed = new Set();
let client;
let nextServerRequest = 1;
let level;
let count = 0;
let begun = 0;
let served = 0;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const notify = (method, params) => write({ method, params });
const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function ask(method, params) {
  const id = nextServerRequest++;
  write({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const tools = {
  echo: ({ message }) => text(message),
  meta: (_args, params) => text(JSON.stringify(params._meta)),
  identity: () => text({ pid: process.pid, client, level, subscribed: [...subscribed], count: ++count }),
  begun: () => text(String(begun)),
  cancellations: () => text(cancelled),
  async steps({ steps }, { _meta }) {
    for (let progress = 1; progress <= steps; progress++) {
      notify('notifications/progress', { progressToken: _meta?.progressToken, progress, total: steps });
      await wait(20);
    }
    return text('done');
  },
  async wait({ ms }) {
    begun++;
    await wait(ms);
    return text('waited');
  },
  async log({ message, ms = 0 }) {
    notify('notifications/message', { level: 'info', data: message });
    await wait(ms);
    return text('logged');
  },
  async ask({ method, params }) {
    return text((await ask(method, params)) ?? null);
  },
  change({ uri }) {
    if (uri === undefined) notify('notifications/tools/list_changed');
    else if (subscribed.has(uri)) notify('notifications/resources/updated', { uri });
    return text('changed');
  },
  noise() {
    process.stdout.write(
      'this is not JSON\n\u001b[32mINFO\u001b[0m {"also": "not a message"}\n{"jsonrpc":"2.0","id":999999,"result":{}}\n',
    );
    process.stdout.write(
      `prefix ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })} suffix\n`,
    );
    return text('noisy');
  },
  die: () => process.exit(3),
  region: (args) => text(args),
  flood({ count, length }) {
    for (let at = 0; at < count; at++) notify('notifications/tools/list_changed', { padding: 'x'.repeat(length) });
    return text('flooded');
  },
  large: ({ length }) => text('x'.repeat(length)),
};

// Arguments that clients mirror into headers.
const schemas = { region: { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } };

const info = { name: 'scripted', version: '1' };
const capabilities = { tools: { listChanged: true }, logging: {}, resources: { subscribe: true } };
const meta = (id) => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });

async function respond({ id, method, params }) {
  // Its first request decides the era.
  if (process.argv.includes('--either') && served++ === 0) modern = method !== 'initialize';
  if (modern) {
    if (params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== '2026-07-28') throw [-32602, 'no version'];
    if (method === 'server/discover') {
      const _meta = { 'io.modelcontextprotocol/serverInfo': info };
      return {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities,
        ttlMs: 0,
        cacheScope: 'private',
        _meta,
      };
    }
    if (method === 'subscriptions/listen') {
      notify('notifications/subscriptions/acknowledged', { notifications: params.notifications, ...meta(id) });
      if (params.notifications.toolsListChanged) notify('notifications/tools/list_changed', meta(id));
      return undefined;
    }
  } else if (method === 'initialize') {
    if (process.argv.includes('--refuse')) throw [-32602, 'this server is out of order'];
    if (client !== undefined) throw [-32600, 'already initialized'];
    client = params;
    return { protocolVersion: params.protocolVersion, capabilities, serverInfo: info, instructions: 'Ask.' };
  } else if (client === undefined) throw [-32600, 'not initialized'];
  if (method === 'ping') return {};
  if (method === 'tools/list') {
    const listed = {
      tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object', ...schemas[name] } })),
    };
    return modern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...listed } : listed;
  }
  if (method === 'logging/setLevel') level = params.level;
  else if (method === 'resources/subscribe') subscribed.add(params.uri);
  else if (method === 'resources/unsubscribe') subscribed.delete(params.uri);
  else if (method === 'tools/call' && Object.hasOwn(tools, params.name)) {
    const result = await tools[params.name](params.arguments ?? {}, params);
    return modern ? { resultType: 'complete', ...result } : result;
  } else throw [-32601, `${method} is unknown`];
  return {};
}

// Longer than a bridge waits for `server/discover` alone.
if (process.argv.includes('--slow')) await wait(5_500);
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method === 'notifications/cancelled') cancelled.push(message.params.requestId);
  else if (message.method === undefined) waiting.get(message.id)?.(message.result ?? message.error);
  else if (message.id !== undefined) {
    respond(message).then(
      (result) => {
        if (result !== undefined && !cancelled.includes(message.id)) write({ id: message.id, result });
      },
      ([code, sentence]) => write({ id: message.id, error: { code, message: sentence } }),
    );
  }
}
