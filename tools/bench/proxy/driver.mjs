// Usage: node driver.mjs '{ port, clients, seconds, warmUpSeconds, pid }'
// A closed loop over raw sockets, which need less CPU than an HTTP client: each client has one
// connection and one session and sends the next tools/call after a correct response. Prints one
// JSON object.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const { port, clients, seconds, warmUpSeconds, pid } = JSON.parse(process.argv[2]);
const TICKS_PER_SECOND = 100;

/** A keep-alive connection. `send` resolves with head and body of the next response. */
class Connection {
  constructor() {
    this.received = Buffer.alloc(0);
    this.waiting = undefined;
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk) => {
      this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
      this.read();
    });
    this.socket.on('close', () => this.waiting?.reject(new Error('the connection was closed')));
    this.socket.on('error', (error) => this.waiting?.reject(error));
  }

  send(bytes) {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(bytes);
    });
  }

  read() {
    const end = this.received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = this.received.latin1Slice(0, end);
    const body = readBody(head, this.received.subarray(end + 4));
    if (body === undefined) return;
    this.received = Buffer.alloc(0);
    this.waiting.resolve({ head, body });
  }
}

function readBody(head, rest) {
  if (head.startsWith('HTTP/1.1 202') && !/content-length/i.test(head)) return '';
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return rest.length < Number(length) ? undefined : rest.latin1Slice(0, Number(length));
  return rest.latin1Slice(-5) === '0\r\n\r\n' ? rest.latin1Slice() : undefined;
}

function post(message, headers) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return Buffer.from(
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

async function openClient() {
  const connection = new Connection();
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'driver', version: '1' } };
  const { head } = await connection.send(post({ id: 0, method: 'initialize', params }, ''));
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`initialize: ${head}`);
  const session = /mcp-session-id: *([^\r]+)/i.exec(head)?.[1];
  const headers = `MCP-Protocol-Version: 2025-06-18\r\n${session === undefined ? '' : `Mcp-Session-Id: ${session}\r\n`}`;
  await connection.send(post({ method: 'notifications/initialized' }, headers));
  return {
    connection,
    call: post({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { message: 'hi' } } }, headers),
  };
}

const usage = () => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
};

async function drive(client, until, latencies) {
  let last = performance.now();
  while (last < until) {
    const { head, body } = await client.connection.send(client.call);
    if (!head.startsWith('HTTP/1.1 200') || !body.includes('Echo: hi'))
      throw new Error(`wrong answer: ${head} ${body}`);
    const now = performance.now();
    latencies.push(now - last);
    last = now;
  }
}

const all = await Promise.all(Array.from({ length: clients }, openClient));
const load = async (forSeconds) => {
  const latencies = [];
  const until = performance.now() + forSeconds * 1_000;
  await Promise.all(all.map((client) => drive(client, until, latencies)));
  return latencies;
};
await load(warmUpSeconds);
const before = usage();
const started = performance.now();
const latencies = (await load(seconds)).sort((one, other) => one - other);
const elapsed = (performance.now() - started) / 1_000;
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
console.log(
  JSON.stringify({
    requestsPerSecond: latencies.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    cpuMicroseconds: (usage() - before) / latencies.length,
    rssMegabytes: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024,
  }),
);
process.exit(0);
