// Usage: node driver.mjs '{ "target": …, "kind": "plain" or "stream", "clients": …, "seconds": … }'
// Sends chat completions in a closed loop, in its own process, and prints one JSON object. Every
// answer is checked; wrong ones are counted.
import { busySeconds, cpuSeconds, readResidentMb, serverSeconds } from '../core-share.mjs';
import { Connection, createRequest } from '../mcp-connection.mjs';
import { quantile } from '../statistics.mjs';

const job = JSON.parse(process.argv[2]);
const { target, kind, clients, seconds, warmUpSeconds, processes } = job;
const MAX_ERRORS = 200;
const body = JSON.stringify({
  model: target.model,
  messages: [{ role: 'user', content: 'Say something about gates.' }],
  max_tokens: 64,
  ...(kind === 'stream' && { stream: true, stream_options: { include_usage: true } }),
});
const request = createRequest('POST', { port: target.port, path: target.path, headers: target.headers }, body);
const EXPECTED = { plain: 'lorem ipsum dolor', stream: '[DONE]' }[kind];

async function drive(connection, until, results) {
  while (performance.now() < until) {
    const begun = performance.now();
    const { head, body: received, firstByteAt } = await connection.send(request);
    const ended = performance.now();
    if (head.startsWith('HTTP/1.1 200') && received.includes(EXPECTED)) {
      results.times.push(ended - begun);
      results.firstBytes.push(firstByteAt - begun);
    } else {
      results.errors += 1;
      results.firstError ??= `${head} ${received.slice(0, 500)}`;
      if (results.errors > MAX_ERRORS) return;
    }
  }
}

async function load(connections, forSeconds) {
  const results = { times: [], firstBytes: [], errors: 0, firstError: undefined };
  const until = performance.now() + forSeconds * 1_000;
  await Promise.all(connections.map((connection) => drive(connection, until, results)));
  return results;
}

/** CPU seconds: of the target, the manager with its Postgres, and of both cores. */
const readUsage = () => [
  cpuSeconds(target.pid),
  cpuSeconds(processes.manager) + serverSeconds(processes.managerPostgres),
  busySeconds([0]),
  busySeconds([1]),
];

const connections = Array.from({ length: clients }, () => new Connection(target.port));
const warmUp = await load(connections, warmUpSeconds);
const [before, begun] = [readUsage(), performance.now()];
const { times, firstBytes, errors, firstError } = await load(connections, seconds);
const elapsed = (performance.now() - begun) / 1_000;
const [own, manager, core0, core1] = readUsage().map((value, at) => value - before[at]);
console.log(
  JSON.stringify({
    rate: times.length / elapsed,
    answered: warmUp.times.length + times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    firstByte: quantile(firstBytes, 0.5),
    micros: (own / times.length) * 1e6,
    managerMicros: (manager / times.length) * 1e6,
    others: Math.max(0, core0 - own) / elapsed,
    core1: core1 / elapsed,
    rss: readResidentMb(target.pid),
    errors,
    firstError,
  }),
);
process.exit(0);
