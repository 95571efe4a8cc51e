// Usage: node tools/bench/proxy-streams.mjs [--streams 2000] [--check]
// Method and limits: docs/benchmarks.md#proxy.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Connection, createRequest, startSession } from './mcp-connection.mjs';
import { Targets } from './proxy/targets.mjs';
import { printTable } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    streams: { type: 'string', default: '2000' },
    check: { type: 'boolean', default: false },
  },
});
const STREAMS = Number(options.streams);
const MAX_MEGABYTES = 200;
/** Sessions that are opened at the same time. */
const AT_ONCE = 50;
const SETTLE_MS = 5_000;

const readMemory = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;

/** Opens a session and its stream, whose head is the last that arrives. */
async function openStream({ port, headers }) {
  const connection = new Connection(port);
  const session = await startSession(connection, { port, headers });
  const head = new Promise((resolve, reject) => {
    connection.socket.once('data', (chunk) => resolve(chunk.toString('latin1')));
    connection.socket.once('close', () => reject(new Error('the stream was closed')));
  });
  connection.socket.write(createRequest('GET', { port, headers: session }));
  if (!(await head).startsWith('HTTP/1.1 200')) throw new Error(await head);
  return connection;
}

async function measure(target) {
  const before = readMemory(target.pid);
  const connections = [];
  while (connections.length < STREAMS)
    connections.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, STREAMS - connections.length) }, () => openStream(target)),
      )),
    );
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const after = readMemory(target.pid);
  if (connections.some(({ socket }) => socket.destroyed)) throw new Error(`${target.name} has closed streams`);
  for (const connection of connections) connection.close();
  return { before, after };
}

const targets = new Targets();
try {
  await targets.start({ peers: false });
  const rows = [];
  // With authentication, one caller has fewer sessions.
  for (const target of targets.all.filter(({ name }) => /^gatehouse(?:, stdio server)?$/.test(name))) {
    const { before, after } = await measure(target);
    rows.push([
      target.name,
      ...[before, after].map((figure) => figure.toFixed(0)),
      (((after - before) * 1024) / STREAMS).toFixed(1),
    ]);
    if (!options.check || after <= MAX_MEGABYTES) continue;
    console.error(`${target.name} has ${after.toFixed(0)} MB, more than ${MAX_MEGABYTES}.`);
    process.exitCode = 1;
  }
  printTable(['Target', 'MB before', `MB with ${STREAMS} streams`, 'KB a stream'], rows);
} finally {
  await targets.stop();
}
