// Usage: node tools/bench/platform.mjs [--check]
// Method and limits: docs/benchmarks.md#local-platform. Linux only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { printTable } from './table.mjs';

const LIMITS = { ready_s: 10, rss_mb: 900 };
const IDLE_MS = 10_000;
/** Avoids the ports of a platform that runs with the defaults. */
const OFFSET = '700';

const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const root = resolve(import.meta.dirname, '../..');

/** Runs `npm start` until it is ready, calls `whileReady`, and stops the platform. */
async function start(whileReady = async () => undefined) {
  const begun = performance.now();
  const npm = spawn('npm', ['start', '--silent', '--', '--json'], {
    cwd: root,
    env: { ...process.env, GATEHOUSE_HOME: home, GATEHOUSE_PORT_OFFSET: OFFSET },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  npm.stderr.on('data', (chunk) => (log += chunk));
  const ended = once(npm, 'exit');
  const line = await Promise.race([once(npm.stdout, 'data').then(([chunk]) => String(chunk)), ended.then(() => '')]);
  if (line === '') throw new Error(`the platform did not start:\n${log}`);
  const seconds = (performance.now() - begun) / 1000;
  const { pid } = JSON.parse(line);
  const memory = await whileReady(pid);
  process.kill(pid, 'SIGTERM');
  await ended;
  const own = Math.max(...[...log.matchAll(/ is ready \((\d+\.\d) s\)/g)].map(([, text]) => Number(text)));
  return { seconds, own, memory };
}

/** Returns the supervisor and all processes below it, including those of Postgres. */
function listProcesses(supervisor) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), parent, command }];
      } catch {
        return [];
      }
    });
  const below = (pid) => all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return [all.find(({ pid }) => pid === supervisor), ...below(supervisor)];
}

function readMemory({ pid, command }) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024;
  return { name: getName(command), rss: megabytes('Rss'), pss: megabytes('Pss') };
}

function getName(command) {
  const programs = [...command.matchAll(/apps\/([a-z-]+)\/dist\/(?:bundle\/|([a-z-]+)\/)?main\.js/g)];
  const [, app, part] = programs.at(-1) ?? [];
  if (app) return part ?? (app === 'local-platform' ? 'supervisor' : app);
  if (command.includes('postgres-guard')) return 'guard of Postgres';
  return command.startsWith('postgres:') ? 'Postgres (helpers and connections)' : 'Postgres';
}

try {
  const load = loadavg()[0].toFixed(1);
  const first = await start();
  const second = await start(async (pid) => {
    await sleep(IDLE_MS);
    const rows = new Map();
    for (const one of listProcesses(pid).map(readMemory)) {
      const { rss, pss, count } = rows.get(one.name) ?? { rss: 0, pss: 0, count: 0 };
      rows.set(one.name, { rss: rss + one.rss, pss: pss + one.pss, count: count + 1 });
    }
    return rows;
  });
  const rows = [...second.memory].sort(([, a], [, b]) => b.rss - a.rss);
  const sum = (field) => rows.reduce((total, [, row]) => total + row[field], 0);
  console.log(`load average ${load}`);
  const describe = ({ seconds, own }) =>
    `${seconds.toFixed(1)} s from the command (${own.toFixed(1)} s of it in the platform)`;
  console.log(`first start:  ${describe(first)}`);
  console.log(`second start: ${describe(second)}\n`);
  const cells = ([name, { rss, pss, count }]) => [
    count > 1 ? `${name} × ${count}` : name,
    rss.toFixed(0),
    pss.toFixed(0),
  ];
  const total = ['**all**', `**${sum('rss').toFixed(0)}**`, `**${sum('pss').toFixed(0)}**`];
  printTable(['Process', 'RSS MB', 'PSS MB'], [...rows.map(cells), total]);
  const slow = Math.max(first.seconds, second.seconds);
  if (process.argv.includes('--check') && (slow > LIMITS.ready_s || sum('rss') > LIMITS.rss_mb)) {
    console.error(`above a limit: ${LIMITS.ready_s} s to readiness, ${LIMITS.rss_mb} MB of RSS`);
    process.exitCode = 1;
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
