// Usage: node tools/bench/list.mjs [workloads] [rounds] [--running]
// Measures `gatehouse list -a` of the installed package with the state files of stopped workloads.
// With --running the workloads run; they need the small server of the end-to-end tests.
import { execFileSync, spawnSync } from 'node:child_process';
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

/** Runs the command. @returns its time by the clock and its CPU time, in milliseconds */
const measure = () => {
  const words = [process.execPath, program, 'list', '-a', '--json'];
  const timed = ['-c', 'TIMEFORMAT="%R %U %S"; time "$@"', 'bash', ...words];
  const { stdout, stderr } = spawnSync('bash', timed, { env, encoding: 'utf8' });
  const isShown = ({ status }) => status === (isRunning ? 'running' : 'stopped');
  if (JSON.parse(stdout).filter(isShown).length !== count) throw new Error('list does not show all workloads');
  const [real, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { clock: real * 1000, cpu: (user + system) * 1000 };
};

try {
  // The first round fills the cache of compiled code and is not counted.
  measure();
  const load = loadavg()[0].toFixed(1);
  const times = Array.from({ length: rounds }, measure);
  const describe = (values) => `fastest ${Math.round(Math.min(...values))} ms, median ${Math.round(median(values))} ms`;
  console.log(`list of ${count} ${isRunning ? 'running' : 'stopped'} workloads, ${rounds} rounds, load ${load}`);
  console.log(`clock: ${describe(times.map(({ clock }) => clock))}`);
  console.log(`CPU:   ${describe(times.map(({ cpu }) => cpu))}`);
} finally {
  if (isRunning) call('rm', '--all', '--yes');
  remove();
}
