// Usage: node tools/bench/isolation.mjs [rounds]
// Starts a server with and without network isolation, in turns, until `run` has printed its URL.
// Prints the times, their ratio and difference, and the memory of the parts of the last start.
// Needs the image that the end-to-end tests of apps/cli build.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

const rounds = Number(process.argv[2] ?? 7);
const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const env = { ...process.env, GATEHOUSE_HOME: home };

const format = '{{.Repository}}:{{.Tag}}';
const images = execFileSync('docker', ['images', '--format', format, 'gatehouse-test/everything'], {
  encoding: 'utf8',
});
const [image] = images.split('\n');
if (!image)
  throw new Error('The image gatehouse-test/everything is missing: run the end-to-end tests of apps/cli first.');

async function gatehouse(...args) {
  const began = performance.now();
  const child = spawn(process.execPath, ['apps/cli/bin/gatehouse.js', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}`);
  return performance.now() - began;
}

/** The own and the shared memory of a process in MB. */
function readMemory(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const read = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return { resident: read('Rss'), own: read('Private_Dirty') };
}

const servers = { stdio: ['--transport', 'stdio'], http: ['--', 'streamableHttp'] };
const start = (name, isolated, flags) =>
  gatehouse('run', image, '--name', name, `--isolate-network=${isolated}`, ...flags);
const rows = [];
try {
  // The first start builds the image of the egress container.
  await start('first', true, servers.stdio);
  for (const [transport, flags] of Object.entries(servers)) {
    const times = { true: [], false: [] };
    for (let round = 0; round < rounds; round += 1)
      for (const isolated of [false, true]) {
        times[isolated].push(await start('bench', isolated, flags));
        await gatehouse('rm', 'bench');
      }
    const [open, closed] = [median(times.false), median(times.true)];
    const cells = [open, closed, closed - open].map((value) => `${value.toFixed(0)} ms`);
    rows.push([transport, ...cells, (closed / open).toFixed(2)]);
  }
  printTable(['Transport', 'open', 'isolated', 'difference', 'ratio'], rows);
  const label = ['--filter', 'label=gatehouse-egress', '--filter', 'name=first', '--format', '{{.ID}}'];
  const [egress] = execFileSync('docker', ['ps', ...label], { encoding: 'utf8' }).split('\n');
  const pid = execFileSync('docker', ['inspect', '-f', '{{.State.Pid}}', egress], { encoding: 'utf8' }).trim();
  const status = JSON.parse(readFileSync(join(home, 'workloads/first/status.json'), 'utf8'));
  for (const [name, id] of [
    ['supervisor and proxy', status.process.pid],
    ['egress container', pid],
  ]) {
    const { resident, own } = readMemory(id);
    console.log(`${name}: ${resident.toFixed(0)} MB resident, ${own.toFixed(0)} MB of them its own data`);
  }
} finally {
  await gatehouse('rm', '--all', '--yes');
  rmSync(home, { recursive: true, force: true });
}
