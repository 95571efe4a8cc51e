// Usage: node tools/bench/isolation.mjs [rounds]
// Starts a server with and without network isolation, in turns, until `run` has printed its URL:
// as the first isolated workload of its home, and beside another one, whose egress container it
// shares.
// Prints the times, their difference, and the memory of the parts of three workloads.
// Needs the image that the end-to-end tests of apps/cli build.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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
const ways = {
  'no isolation': () => false,
  'isolated, first of the home': () => true,
  'isolated, another one runs': () => true,
};
const rows = [];
try {
  // The first start builds the image of the egress container.
  await start('warm-up', true, servers.stdio);
  await gatehouse('rm', 'warm-up');
  for (const [transport, flags] of Object.entries(servers)) {
    const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [way, isIsolated] of Object.entries(ways)) {
        const hasOther = way.endsWith('runs');
        if (hasOther) await start('other', true, servers.stdio);
        times[way].push(await start('bench', isIsolated(), flags));
        await gatehouse('rm', 'bench');
        if (hasOther) await gatehouse('rm', 'other');
      }
    const open = median(times['no isolation']);
    for (const [way, values] of Object.entries(times)) {
      const value = median(values);
      const [time, difference, least] = [value, value - open, Math.min(...values)].map((ms) => `${ms.toFixed(0)} ms`);
      rows.push([transport, way, time, least, difference]);
    }
  }
  printTable(['Transport', 'Network', 'median', 'least', 'difference'], rows);
  for (const name of ['one', 'two', 'three']) await start(name, true, servers.stdio);
  const label = ['--filter', 'label=gatehouse-egress', '--format', '{{.ID}} {{.Label "gatehouse-home"}}'];
  const id = createHash('sha256').update(home).digest('hex').slice(0, 8);
  const listed = execFileSync('docker', ['ps', ...label], { encoding: 'utf8' }).split('\n');
  const [egress] = listed.filter((line) => line.endsWith(id)).map((line) => line.split(' ')[0]);
  const pid = execFileSync('docker', ['inspect', '-f', '{{.State.Pid}}', egress], { encoding: 'utf8' }).trim();
  const status = JSON.parse(readFileSync(join(home, 'workloads/one/status.json'), 'utf8'));
  for (const [name, process] of [
    ['supervisor and proxy of each workload', status.process.pid],
    ['egress container of three workloads', pid],
  ]) {
    const { resident, own } = readMemory(process);
    console.log(`${name}: ${resident.toFixed(0)} MB resident, ${own.toFixed(0)} MB of them its own data`);
  }
} finally {
  await gatehouse('rm', '--all', '--yes');
  rmSync(home, { recursive: true, force: true });
}
