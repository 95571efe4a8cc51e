// Usage: node tools/bench/proxy.mjs [--clients 1,16,50] [--seconds 3] [--rounds 5] [--skip-thv]
// [--check]
// Method and limits: docs/benchmarks.md#proxy.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';
import { installToolhive, TOOLHIVE_ENV } from './toolhive.mjs';

const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '1,16,50' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    'skip-thv': { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const run = promisify(execFile);
const here = (name) => join(import.meta.dirname, 'proxy', name);
const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const children = [];

function start(core, command, args, { env = {}, stderr = 'inherit' } = {}) {
  const child = spawn('taskset', ['-c', String(core), command, ...args], {
    stdio: ['ignore', 'ignore', stderr],
    env: { ...process.env, ...env },
  });
  children.push(child);
  return child;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Waits until `initialize` is answered on a port. */
async function untilReady(port) {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  };
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, request).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no server answers on port ${port}`);
}

/** Starts `thv` with its own home, in the foreground, so that the started process is the proxy. */
async function startThv(binary, upstreamPort) {
  const port = await freePort();
  const env = { HOME: home, ...TOOLHIVE_ENV };
  const url = `http://127.0.0.1:${upstreamPort}/mcp`;
  const args = [url, '--name', 'bench', '--transport', 'streamable-http', '--proxy-port', String(port), '--foreground'];
  // `thv` logs a warning for each missing configuration.
  const child = start(0, binary, ['run', ...args], { env, stderr: 'ignore' });
  await untilReady(port);
  return { name: 'thv', port, pid: child.pid };
}

async function startTargets() {
  const upstreamPort = await freePort();
  const echo = start(1, process.execPath, [here('echo-server.mjs'), 'http', String(upstreamPort)]);
  await untilReady(upstreamPort);
  const targets = [{ name: 'direct', port: upstreamPort, pid: echo.pid }];
  const add = async (name, script, ...args) => {
    const port = await freePort();
    const { pid } = start(0, process.execPath, [here(script), String(port), ...args.map(String)]);
    await untilReady(port);
    targets.push({ name, port, pid });
  };
  await add('node:http pipe', 'http-pipe.mjs', upstreamPort);
  if (!options['skip-thv']) targets.push(await startThv(installToolhive('thv'), upstreamPort));
  await add('gatehouse', 'gatehouse-proxy.mjs', upstreamPort);
  const stdio = ['taskset', '-c', '1', process.execPath, here('echo-server.mjs'), 'stdio'];
  await add('gatehouse, stdio server', 'gatehouse-proxy.mjs', 'stdio', ...stdio);
  return targets;
}

async function measure(targets, clients) {
  const results = new Map(targets.map((target) => [target, []]));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [target, rounds] of results) {
      const { port, pid } = target;
      const job = JSON.stringify({ port, clients, pid, seconds: Number(options.seconds), warmUpSeconds: 1 });
      const { stdout } = await run('taskset', ['-c', '1', process.execPath, here('driver.mjs'), job]);
      rounds.push(JSON.parse(stdout));
    }
  }
  const of = (rounds, key) => median(rounds.map((round) => round[key]));
  return [...results].map(([{ name }, rounds]) => ({
    name,
    requestsPerSecond: of(rounds, 'requestsPerSecond'),
    p50: of(rounds, 'p50'),
    p99: of(rounds, 'p99'),
    cpu: of(rounds, 'cpuMicroseconds'),
    rss: of(rounds, 'rssMegabytes'),
  }));
}

function print(clients, rows) {
  const rate = (name) => rows.find((row) => row.name === name)?.requestsPerSecond ?? Number.NaN;
  const ratio = (row, name) => (Number.isNaN(rate(name)) ? '-' : (row.requestsPerSecond / rate(name)).toFixed(2));
  console.log(`\n### ${clients} client${clients === 1 ? '' : 's'}\n`);
  printTable(
    ['Target', 'req/s', 'of direct', 'of the pipe', 'of thv', 'p50 ms', 'p99 ms', 'CPU µs a call', 'RSS MB'],
    rows.map((row) => [
      row.name,
      row.requestsPerSecond.toFixed(0),
      ...['direct', 'node:http pipe', 'thv'].map((name) => ratio(row, name)),
      ...[row.p50, row.p99].map((ms) => ms.toFixed(2)),
      ...[row.cpu, row.rss].map((figure) => figure.toFixed(0)),
    ]),
  );
}

function check(rows) {
  const rate = (name) => rows.find((row) => row.name === name)?.requestsPerSecond ?? 0;
  const failures = [];
  if (rate('gatehouse') < 0.45 * rate('node:http pipe')) failures.push('the proxy is below 0.45 of the pipe');
  if (rate('gatehouse') < rate('thv')) failures.push('the proxy is slower than thv');
  for (const failure of failures) console.error(`At 16 clients ${failure}.`);
  if (failures.length > 0) process.exitCode = 1;
}

try {
  const targets = await startTargets();
  for (const clients of options.clients.split(',').map(Number)) {
    const rows = await measure(targets, clients);
    print(clients, rows);
    if (clients === 16 && options.check) check(rows);
  }
} finally {
  const ended = children.map((child) => child.exitCode ?? new Promise((resolve) => child.once('exit', resolve)));
  for (const child of children) child.kill();
  await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, 5_000))]);
  for (const child of children) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
