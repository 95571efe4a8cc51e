// Usage: node tools/bench/list.mjs [workloads] [rounds] [--running]
// Measures `gatehouse list -a` of the installed package with the state files of stopped workloads,
// in turns with an empty home.
// With --running the workloads run; they need the small server of the end-to-end tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { installCommandLine } from './installed-cli.mjs';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

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

/** Runs the command in a home. @returns its time by the clock and its CPU time, in milliseconds */
const measure = (folder, expected) => {
  const words = [process.execPath, program, 'list', '-a', '--json'];
  const timed = ['-c', 'TIMEFORMAT="%R %U %S"; time "$@"', 'bash', ...words];
  const { stdout, stderr } = spawnSync('bash', timed, { env: { ...env, GATEHOUSE_HOME: folder }, encoding: 'utf8' });
  const isShown = ({ status }) => status === (isRunning ? 'running' : 'stopped');
  if (JSON.parse(stdout).filter(isShown).length !== expected) throw new Error('list does not show all workloads');
  const [real, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { clock: real * 1000, cpu: (user + system) * 1000 };
};

const homes = { 'empty home': [`${home}-empty`, 0], [`${count} ${isRunning ? 'running' : 'stopped'}`]: [home, count] };
const times = Object.fromEntries(Object.keys(homes).map((name) => [name, []]));

try {
  const load = loadavg()[0].toFixed(1);
  // The first round fills the cache of compiled code and is not counted.
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, [folder, expected]] of Object.entries(homes)) {
      const time = measure(folder, expected);
      if (round > 0) times[name].push(time);
    }
  console.log(`Load average ${load} before, ${loadavg()[0].toFixed(1)} after the run; ${rounds} rounds.\n`);
  const show = (values) => [Math.min(...values).toFixed(0), median(values).toFixed(0)];
  const rows = Object.entries(times).map(([name, list]) => [
    name,
    ...show(list.map(({ clock }) => clock)),
    ...show(list.map(({ cpu }) => cpu)),
  ]);
  printTable(['Workloads', 'fastest ms', 'median ms', 'least CPU ms', 'median CPU ms'], rows);
} finally {
  if (isRunning) call('rm', '--all', '--yes');
  remove();
}
