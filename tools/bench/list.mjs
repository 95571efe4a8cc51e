// Usage: node tools/bench/list.mjs [workloads] [rounds]
// Measures `gatehouse list -a` with the state files of stopped workloads.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './statistics.mjs';

const count = Number(process.argv[2] ?? 50);
const rounds = Number(process.argv[3] ?? 11);
const bin = fileURLToPath(new URL('../../apps/cli/bin/gatehouse.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
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
  const output = execFileSync(process.execPath, ['--', bin, 'list', '-a', '--json'], {
    env: { ...process.env, GATEHOUSE_HOME: home },
    encoding: 'utf8',
  });
  if (JSON.parse(output).length !== count) throw new Error('list does not show all workloads');
  return performance.now() - began;
};

try {
  const times = Array.from({ length: rounds }, measure);
  console.log(`list of ${count} workloads: median ${Math.round(median(times))} ms of ${rounds} rounds`);
} finally {
  rmSync(home, { recursive: true });
}
