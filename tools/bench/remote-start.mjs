// Usage: node tools/bench/remote-start.mjs [rounds] [--check]
// Method: docs/benchmarks.md#remote-servers. Needs built projects; no container engine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { json } from 'node:stream/consumers';
import { installCommandLine } from './installed-cli.mjs';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

const LIMIT_MS = 250;

const rounds = Number(process.argv[2] ?? 15);
const { program, env, remove } = installCommandLine();

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  const { id, params } = await json(request);
  if (id === undefined) return response.writeHead(202).end();
  const serverInfo = { name: 'bench', version: '1' };
  const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo };
  response.setHeader('content-type', 'application/json');
  return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/mcp`;

/** Runs a command of the installed package. @returns its time in milliseconds */
async function call(...args) {
  const began = performance.now();
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}`);
  return performance.now() - began;
}

const times = { 'gatehouse version': [], 'gatehouse run URL': [] };
const load = loadavg()[0].toFixed(1);
try {
  // The first round fills the cache of compiled code and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const version = await call('version');
    const run = await call('run', url, '--name', 'bench');
    await call('rm', 'bench');
    if (round === 0) continue;
    times['gatehouse version'].push(version);
    times['gatehouse run URL'].push(run);
  }
} finally {
  await call('rm', '--all', '--yes').catch(() => undefined);
  server.close();
  remove();
}
console.log(`Load average ${load} before, ${loadavg()[0].toFixed(1)} after the run; ${rounds} rounds.\n`);
const rows = Object.entries(times).map(([name, list]) => [
  `\`${name}\``,
  Math.min(...list).toFixed(0),
  median(list).toFixed(0),
]);
printTable(['Command', 'fastest ms', 'median ms'], rows);
if (process.argv.includes('--check') && median(times['gatehouse run URL']) > LIMIT_MS) process.exitCode = 1;
