// Usage: node tools/bench/run-start.mjs [rounds]
// Method: docs/benchmarks.md#run. Needs built projects, a container engine, and the image that the
// tests of apps/cli build; builds ToolHive once.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installCommandLine } from './installed-cli.mjs';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';
import { installToolhive, TOOLHIVE_ENV } from './toolhive.mjs';

const rounds = Number(process.argv[2] ?? 10);
const PORT = 18_431;
const TIMEOUT_MS = 60_000;
const IDLE_MS = 3_000;
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});
/** The arguments of each server: flags of `run`, and the argument of the image. */
const SERVERS = {
  stdio: { flags: ['--transport', 'stdio'], argument: 'stdio' },
  HTTP: { flags: ['--transport', 'streamable-http', '--target-port', '3001'], argument: 'streamableHttp' },
};

const images = execFileSync('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}', 'gatehouse-test/everything']);
const [image] = images.toString().split('\n');
if (!image) throw new Error('The image gatehouse-test/everything is missing: run the e2e tests of apps/cli first.');
const thv = installToolhive('thv');
const installed = installCommandLine();
const peerHome = mkdtempSync(join(tmpdir(), 'gatehouse-bench-peer-'));
const peerEnv = { ...process.env, ...TOOLHIVE_ENV, HOME: peerHome };

const gatehouse = { command: [process.execPath, installed.program], env: installed.env };
const toolhive = { command: [thv], env: peerEnv };

/** Starts a command of a tool. @returns its end, which rejects unless it succeeds */
async function call({ command: [program, ...leading], env }, ...args) {
  const child = spawn(program, [...leading, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (part) => (stderr += part));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr}`);
}

/** Whether the proxy answers `initialize` with the description of the server. */
async function isAnswering() {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const signal = AbortSignal.timeout(1000);
  try {
    const url = `http://127.0.0.1:${PORT}/mcp`;
    const response = await fetch(url, { method: 'POST', headers, body: INITIALIZE, signal });
    return response.ok && (await response.text()).includes('serverInfo');
  } catch {
    return false;
  }
}

/** Runs a server, and returns the milliseconds to the first good answer and to the end of `run`. */
async function measure(tool, { flags, argument }) {
  const common = ['--name', 'bench', '--proxy-port', String(PORT), '--isolate-network=false'];
  const began = performance.now();
  let returned = 0;
  const run = call(tool, 'run', image, ...common, ...flags, '--', argument).then(() => {
    returned = performance.now() - began;
  });
  run.catch(() => undefined);
  while (!(await isAnswering())) {
    if (performance.now() - began > TIMEOUT_MS) throw new Error(`No answer after ${TIMEOUT_MS} ms: ${tool.command}`);
    await sleep(5);
  }
  const ready = performance.now() - began;
  await run;
  return { ready, returned };
}

/** Sums the PSS of the processes whose command line matches, in MB. */
function measureMemory(pattern) {
  const sizes = readdirSync('/proc').flatMap((pid) => {
    try {
      if (!pattern.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))) return [];
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      return [];
    }
  });
  return sizes.reduce((total, size) => total + size, 0) / 1024;
}

const tools = {
  ToolHive: { tool: toolhive, pattern: /thv start bench/ },
  Gatehouse: { tool: gatehouse, pattern: new RegExp(`supervise.*${RegExp.escape(installed.home)}`) },
};
const results = [];
const load = loadavg()[0].toFixed(1);
try {
  for (const [kind, server] of Object.entries(SERVERS)) {
    const measured = { ToolHive: [], Gatehouse: [] };
    const memory = { ToolHive: [], Gatehouse: [] };
    // The first round fills caches and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, { tool, pattern }] of Object.entries(tools)) {
        const one = await measure(tool, server);
        if (round === rounds) {
          await sleep(IDLE_MS);
          memory[name].push(measureMemory(pattern));
        }
        await call(tool, 'rm', 'bench');
        if (round > 0) measured[name].push(one);
      }
    }
    const ready = (name) => median(measured[name].map((one) => one.ready));
    for (const name of Object.keys(tools)) {
      const returned = median(measured[name].map((one) => one.returned));
      const ratio = (ready(name) / ready('ToolHive')).toFixed(2);
      const pss = memory[name][0]?.toFixed(0) ?? '-';
      results.push([`${name}, ${kind}`, ready(name).toFixed(0), ratio, returned.toFixed(0), pss]);
    }
  }
} finally {
  for (const { tool } of Object.values(tools)) await call(tool, 'rm', 'bench').catch(() => undefined);
  installed.remove();
  rmSync(peerHome, { recursive: true, force: true });
}
console.log(`Load average ${load} before, ${loadavg()[0].toFixed(1)} after the run; ${rounds} rounds.\n`);
printTable(['Server', 'ms to initialize', 'of ToolHive', 'ms to the end of `run`', 'PSS MB, idle'], results);
