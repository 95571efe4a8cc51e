// Usage: node driver.mjs '{ port, headers?, clients, seconds, warmUpSeconds, requests?, pid }'
// With `requests`, it ends after so many, however long they take.
// A closed loop over raw sockets, which need less CPU than an HTTP client: each client has one
// connection and one session and sends the next tools/call after a correct response. Prints one
// JSON object.
import { readFileSync } from 'node:fs';
import { Connection, createPost, startSession } from '../mcp-connection.mjs';

const { port, headers: given, clients, seconds, warmUpSeconds, requests, pid } = JSON.parse(process.argv[2]);
const TICKS_PER_SECOND = 100;

async function openClient() {
  const connection = new Connection(port);
  const headers = await startSession(connection, { port, headers: given });
  const params = { name: 'echo', arguments: { message: 'hi' } };
  return { connection, call: createPost({ port, headers }, { id: 1, method: 'tools/call', params }) };
}

const usage = () => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
};

async function drive(client, until, latencies) {
  let last = performance.now();
  while (requests === undefined ? last < until : latencies.length < requests) {
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
if (requests === undefined) await load(warmUpSeconds);
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
