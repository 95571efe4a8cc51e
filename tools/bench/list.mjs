// Usage: node tools/bench/list.mjs [workloads] [rounds]
// Measures `gatehouse list -a` of the installed package with the state files of stopped workloads.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { installCommandLine } from './installed-cli.mjs';
import { median } from './statistics.mjs';

const count = Number(process.argv[2] ?? 50);
const rounds = Number(process.argv[3] ?? 11);
const { program, home, env, remove } = installCommandLine();
const at = new Date().toISOString();

for (let number = 1; number <= count; number += 1) {
  const name = `server-${number}`;
  const folder = join(home, 'workloads', name);
  mkdirSync(folder, { recursive: true });
  const config = { name, container_name: name, image: 'owner/server:1', transport: 'stdio', port: 10_000 + number };
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...config, engine: 'unix:///var/run/docker.sock' }));
  const status = { status: 'stopped', stop_requested: true, created_at: at, updated_at: at };
  writeFileSync(join(folder, 'status.json'), JSON.stringify(status));
}

const measure = () => {
  const began = performance.now();
  const output = execFileSync(process.execPath, [program, 'list', '-a', '--json'], { env, encoding: 'utf8' });
  if (JSON.parse(output).length !== count) throw new Error('list does not show all workloads');
  return performance.now() - began;
};

try {
  // The first round fills the cache of compiled code and is not counted.
  measure();
  const load = loadavg()[0].toFixed(1);
  const times = Array.from({ length: rounds }, measure);
  const [fastest, middle] = [Math.min(...times), median(times)].map(Math.round);
  console.log(
    `list of ${count} workloads: fastest ${fastest} ms, median ${middle} ms of ${rounds} rounds, load ${load}`,
  );
} finally {
  remove();
}
