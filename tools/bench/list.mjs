// Usage: node tools/bench/list.mjs [workloads] [rounds] [--running]
// Measures `gatehouse list -a` of the installed package with the state files of stopped workloads.
// With --running the workloads run; they need the small server of the end-to-end tests.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { installCommandLine } from './installed-cli.mjs';
import { median } from './statistics.mjs';

const isRunning = process.argv.includes('--running');
const [count = 50, rounds = 11] = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('-'))
  .map(Number);
const { program, home, env, remove } = installCommandLine();
const at = new Date().toISOString();

const call = (...words) =>
  execFileSync(process.execPath, [program, ...words], { env, encoding: 'utf8', stdio: 'pipe' });

/** Starts a server on standard streams, without isolation, so that it has one container. */
function startWorkload(number) {
  const images = execFileSync('docker', [
    'images',
    '--format',
    '{{.Repository}}:{{.Tag}}',
    'gatehouse-test/small-server',
  ]);
  const [image] = String(images).split('\n');
  if (!image)
    throw new Error('The image gatehouse-test/small-server is missing: run the end-to-end tests of apps/cli.');
  call(
    'run',
    image,
    '--name',
    `server-${number}`,
    '--transport',
    'stdio',
    '--isolate-network=false',
    '--memory',
    '64m',
  );
}

function storeWorkload(number) {
  const name = `server-${number}`;
  const folder = join(home, 'workloads', name);
  mkdirSync(folder, { recursive: true });
  const config = { name, container_name: name, image: 'owner/server:1', transport: 'stdio', port: 10_000 + number };
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...config, engine: 'unix:///var/run/docker.sock' }));
  const status = { status: 'stopped', stop_requested: true, created_at: at, updated_at: at };
  writeFileSync(join(folder, 'status.json'), JSON.stringify(status));
}

try {
  for (let number = 1; number <= count; number += 1) (isRunning ? startWorkload : storeWorkload)(number);
} catch (error) {
  call('rm', '--all', '--yes');
  remove();
  throw error;
}

const measure = () => {
  const began = performance.now();
  const output = execFileSync(process.execPath, [program, 'list', '-a', '--json'], { env, encoding: 'utf8' });
  const isShown = ({ status }) => status === (isRunning ? 'running' : 'stopped');
  if (JSON.parse(output).filter(isShown).length !== count) throw new Error('list does not show all workloads');
  return performance.now() - began;
};

try {
  // The first round fills the cache of compiled code and is not counted.
  measure();
  const load = loadavg()[0].toFixed(1);
  const times = Array.from({ length: rounds }, measure);
  const [fastest, middle] = [Math.min(...times), median(times)].map(Math.round);
  console.log(
    `list of ${count} ${isRunning ? 'running' : 'stopped'} workloads: fastest ${fastest} ms, median ${middle} ms of ${rounds} rounds, load ${load}`,
  );
} finally {
  if (isRunning) call('rm', '--all', '--yes');
  remove();
}
