// Usage: node tools/bench/mcp-client.mjs [seconds] [rounds] [clients] [--check] (after the build)
// Method and limits: docs/benchmarks.md#mcp-client.
import { createServer } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { connect } from '@gatehouse/mcp/client/connect';
import { DEFAULT_RESPONSE_LIMITS } from '@gatehouse/mcp/response-limits';
import { Agent } from 'undici';
import { startBare, stop } from './child-process.mjs';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

/** Maximum CPU time of a call above that of a bare request. */
const LIMIT_US = 60;

const MODERN = '2026-07-28';
const serverInfo = { name: 'echo', version: '1' };

/** Answers a message of either era; a tool call gets a short text. */
function createResult({ method, params }) {
  const common = { capabilities: { tools: {} }, serverInfo };
  if (method === 'initialize') return { protocolVersion: params.protocolVersion, ...common };
  const complete = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } };
  if (method === 'server/discover')
    return { supportedVersions: [MODERN], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private', ...complete };
  return { ...complete, content: [{ type: 'text', text: `Echo: ${params.arguments.message}` }] };
}

/** Serves `/json` with JSON, `/events` with one event. Only `modern` paths know the discovery. */
function serve() {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString());
      if (message.id === undefined) return response.writeHead(202, { 'content-length': 0 }).end();
      if (message.method === 'server/discover' && !request.url.endsWith('/modern'))
        return response.writeHead(404).end();
      const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: createResult(message) });
      const isJson = request.url.startsWith('/json');
      const body = isJson ? text : `event: message\ndata: ${text}\n\n`;
      const type = isJson ? 'application/json' : 'text/event-stream';
      response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
}

const params = { name: 'echo', arguments: { message: 'a short text of a tool call' } };

/** Posts the same body with undici and parses the response. */
function createBareCall(url, dispatcher) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return async () => {
    const response = await dispatcher.request({ origin: url, path: '/json/legacy', method: 'POST', headers, body });
    return JSON.parse(await response.body.text());
  };
}

async function createCall(url, dispatcher) {
  const signal = AbortSignal.any([]);
  const exchange = { signal, idleTimeoutMs: 60_000, totalTimeoutMs: 600_000 };
  const connection = await connect(
    { url: new URL(url), transport: 'streamable-http' },
    {
      dispatcher,
      createHeaders: () => ({ authorization: 'Bearer secret' }),
      clientInfo: { name: 'bench', version: '1' },
      capabilities: {},
      limits: DEFAULT_RESPONSE_LIMITS,
      timeouts: { connectMs: 5_000 },
      onNotification: () => undefined,
    },
  );
  return () => connection.request('tools/call', params, exchange);
}

async function createOfficialCall(url, mode) {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return async () => ({ result: await client.callTool(params) });
}

/** Calls in a closed loop. @returns CPU microseconds of a call, and calls a second */
async function measure(call, clients, seconds) {
  const end = performance.now() + seconds * 1_000;
  const [begun, start] = [performance.now(), process.cpuUsage()];
  let done = 0;
  const drive = async () => {
    while (performance.now() < end) {
      const { result } = await call();
      if (result?.content[0].text.length !== 33) throw new Error(`unexpected result ${JSON.stringify(result)}`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, drive));
  const { user, system } = process.cpuUsage(start);
  return { micros: (user + system) / done, rate: (done * 1_000) / (performance.now() - begun) };
}

async function run({ seconds, rounds, clients, isCheck }) {
  const { child, url } = await startBare(import.meta.url);
  const dispatcher = new Agent();
  const calls = {
    'bare undici request': createBareCall(url, dispatcher),
    'connection, legacy, JSON': await createCall(`${url}/json/legacy`, dispatcher),
    'connection, modern, JSON': await createCall(`${url}/json/modern`, dispatcher),
    'connection, legacy, event stream': await createCall(`${url}/events/legacy`, dispatcher),
    'connection, modern, event stream': await createCall(`${url}/events/modern`, dispatcher),
    'official client, legacy, JSON': await createOfficialCall(`${url}/json/legacy`, 'legacy'),
    'official client, modern, JSON': await createOfficialCall(`${url}/json/modern`, 'auto'),
  };
  const results = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, call] of Object.entries(calls)) {
      const measured = await measure(call, clients, round === 0 ? 1 : seconds);
      if (round > 0) results[name].push(measured);
    }
  const middle = (name, field) => median(results[name].map((one) => one[field]));
  const bare = middle('bare undici request', 'micros');
  printTable(
    [`${clients} clients`, 'CPU µs a call', 'above bare', 'calls/s'],
    Object.keys(calls).map((name) => {
      const micros = middle(name, 'micros');
      return [name, micros.toFixed(1), (micros - bare).toFixed(1), Math.round(middle(name, 'rate'))];
    }),
  );
  await dispatcher.destroy();
  await stop(child);
  const exceeded = ['legacy', 'modern'].filter((era) => middle(`connection, ${era}, JSON`, 'micros') - bare > LIMIT_US);
  if (!isCheck || exceeded.length === 0) return;
  console.error(`a ${exceeded.join(' and a ')} call took more than ${LIMIT_US} µs above a bare request`);
  process.exitCode = 1;
}

if (process.argv[2] === 'bare') serve();
else {
  const flags = process.argv.slice(2);
  const [seconds = 2, rounds = 5, clients = 16] = flags.filter((flag) => !flag.startsWith('--')).map(Number);
  await run({ seconds, rounds, clients, isCheck: flags.includes('--check') });
  process.exit();
}
