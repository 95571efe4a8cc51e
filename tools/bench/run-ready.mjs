// Usage: node tools/bench/run-ready.mjs [rounds]
// Method: docs/benchmarks.md#run. Needs the image that `npm test` builds.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.mjs';

const rounds = Number(process.argv[2] ?? 7);
const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const env = { ...process.env, GATEHOUSE_HOME: home };

const found = execFileSync('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}', 'gatehouse-test/everything'], {
  encoding: 'utf8',
});
const [image] = found.split('\n');
if (!image)
  throw new Error('The image gatehouse-test/everything is missing: run the end-to-end tests of apps/cli first.');

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});

async function isAnswering(url) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  try {
    const response = await fetch(url, { method: 'POST', headers, body: initialize, signal: AbortSignal.timeout(1000) });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function run(command, args) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}

/** Runs `docker run`, then sends `initialize` to the container until it answers. */
async function floor() {
  await run('docker', ['run', '-d', '--name', 'gatehouse-bench', image, 'streamableHttp']);
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  const address = execFileSync('docker', ['inspect', '-f', format, 'gatehouse-bench'], {
    env,
    encoding: 'utf8',
  }).trim();
  while (!(await isAnswering(`http://${address}:3001/mcp`))) await new Promise((resolve) => setTimeout(resolve, 10));
}

const gatehouse = (...args) => run(process.execPath, ['apps/cli/bin/gatehouse.js', ...args]);
const times = { floor: [], http: [], stdio: [] };
try {
  for (let round = 0; round < rounds; round += 1) {
    times.floor.push(await timed(floor));
    await run('docker', ['rm', '-f', 'gatehouse-bench']);
    times.http.push(await timed(() => gatehouse('run', image, '--name', 'bench', '--', 'streamableHttp')));
    await gatehouse('rm', 'bench');
    times.stdio.push(await timed(() => gatehouse('run', image, '--name', 'bench', '--transport', 'stdio')));
    await gatehouse('rm', 'bench');
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

const base = median(times.floor);
for (const [name, list] of Object.entries(times)) {
  console.log(
    `${name.padEnd(6)} ${median(list).toFixed(0).padStart(6)} ms   ${(median(list) / base).toFixed(2)} of the floor`,
  );
}
