// Usage: node tools/bench/snapshot-adoption.mjs [connectors] [repeats] [--check]
// Method and limit: docs/benchmarks.md#snapshot-of-a-gateway. Each repeat has other connectors, so
// that no policy is cached.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { setImmediate } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { DirectoryClient } from '../../apps/connector-gateway/dist/directory/directory-client.js';
import { FeedLease } from '../../apps/connector-gateway/dist/directory/feed-lease.js';
import { SnapshotFeed } from '../../apps/connector-gateway/dist/directory/snapshot-feed.js';
import { compileGrants } from '../../libs/policy/dist/grants.js';
import { median } from './statistics.mjs';

const LIMIT_MS = 50;
const GROUPS = 10;

if (isMainThread) await measure();
else serve();

function serve() {
  const server = createServer((request, response) => {
    const [, round, connectors] = /^\/(\d+)-(\d+)\//.exec(request.url);
    const body = JSON.stringify(createSnapshot(Number(round), Number(connectors)));
    response.writeHead(200, { 'content-type': 'application/json', etag: `"${round}"` }).end(body);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}

function createSnapshot(round, count) {
  const numbers = Array.from({ length: count }, (_, at) => at);
  return {
    gateway_id: 'local',
    connectors: numbers.map((at) => ({
      id: uuid(round, at),
      slug: `connector-${at}`,
      name: `Connector ${at}`,
      description: `Tools of service ${at}`,
      endpoint: `https://connector-${at}.example.com/mcp`,
      transport: 'streamable-http',
      auth: { type: 'bearerToken', secrets: { 'bearer_token.token': { id: uuid(9, at), version: 1 } } },
      allow_private_ips: false,
    })),
    policies: numbers.map((at) => ({ connector_id: uuid(round, at), version: 1, document: createGrants(round, at) })),
    claim_mapping: { email: 'String' },
    binding_claims: {},
    limits: { batch_calls: 1_000 },
    settings: {
      limits: {
        calls_per_minute_per_person: null,
        calls_per_minute_per_tool: null,
        concurrent_calls_per_connector: null,
        sessions_per_person: null,
        max_argument_bytes: null,
        max_result_bytes: null,
      },
      content: { redaction_patterns: [], tool_pinning: 'off', elicitation_hosts: [] },
      connectors: {},
    },
  };
}

const uuid = (round, at) => `00000000-0000-4000-8000-${String(round * 1_000_000 + at).padStart(12, '0')}`;

function createGrants(round, at) {
  const groups = Array.from({ length: GROUPS }, (_, group) => uuid(8, group));
  return compileGrants(uuid(round, at), groups);
}

async function measure() {
  const [connectors = 500, repeats = 7] = process.argv
    .slice(2)
    .filter((word) => !word.startsWith('--'))
    .map(Number);
  const worker = new Worker(fileURLToPath(import.meta.url));
  const [port] = await once(worker, 'message');
  const held = [];
  const taken = [];
  for (let round = 0; round <= repeats; round += 1) {
    const found = await adopt(`http://127.0.0.1:${port}/${round}-${connectors}`, connectors);
    // The first round loads and compiles the code.
    if (round === 0) continue;
    held.push(found.held);
    taken.push(found.taken);
  }
  await worker.terminate();
  console.log(
    `${connectors} connectors: adopted in ${median(taken).toFixed(0)} ms, event loop blocked for at most ${median(held).toFixed(1)} ms (medians of ${repeats})`,
  );
  if (process.argv.includes('--check') && median(held) > LIMIT_MS) process.exitCode = 1;
}

/** Returns the CPU time of this thread in milliseconds. */
function threadMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Adopts one snapshot. @returns the total and the longest blocking CPU time, in milliseconds */
async function adopt(url, connectors) {
  const token = { get: () => Promise.resolve('token'), forget: () => undefined };
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  const feed = new SnapshotFeed(new DirectoryClient(url, 'local', token), new FeedLease(60, Date.now), log);
  const adopted = new Promise((resolve) => feed.onChange(resolve));
  let held = 0;
  let isDone = false;
  const begun = threadMs();
  let last = begun;
  const tick = () => {
    const now = threadMs();
    held = Math.max(held, now - last);
    last = now;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  feed.start();
  const rules = await adopted;
  const taken = threadMs() - begun;
  isDone = true;
  await feed.stop();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  if (rules.connectors.length !== connectors || rules.unreadable.length > 0)
    throw new Error('the snapshot was not adopted');
  return { held, taken };
}
