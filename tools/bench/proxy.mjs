// Usage: node tools/bench/proxy.mjs [--clients 1,16,50] [--seconds 3] [--rounds 5] [--warm-up 8]
// [--skip-peers] [--check]
// Method and limits: docs/benchmarks.md#proxy.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Targets } from './proxy/targets.mjs';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '1,16,50' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '8' },
    'skip-peers': { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const run = promisify(execFile);
const driver = join(import.meta.dirname, 'proxy', 'driver.mjs');
const PIPE = 'node:http pipe';
const CHECKED = ', OIDC, audit, Cedar';

async function drive({ port, pid, headers }, clients, seconds, warmUpSeconds) {
  const job = JSON.stringify({ port, pid, headers, clients, seconds, warmUpSeconds });
  const { stdout } = await run('taskset', ['-c', '1', process.execPath, driver, job]);
  return JSON.parse(stdout);
}

async function measure(targets, clients) {
  const results = new Map(targets.map((target) => [target, []]));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const [target, rounds] of results) rounds.push(await drive(target, clients, Number(options.seconds), 1));
  const of = (rounds, key) => median(rounds.map((round) => round[key]));
  return [...results].map(([{ name }, rounds]) => ({
    name,
    requestsPerSecond: of(rounds, 'requestsPerSecond'),
    p50: of(rounds, 'p50'),
    p99: of(rounds, 'p99'),
    cpu: of(rounds, 'cpuMicroseconds'),
    rss: of(rounds, 'rssMegabytes'),
  }));
}

function print(clients, rows) {
  const rate = (name) => rows.find((row) => row.name === name)?.requestsPerSecond ?? Number.NaN;
  const ratio = (row, name) => (Number.isNaN(rate(name)) ? '-' : (row.requestsPerSecond / rate(name)).toFixed(2));
  console.log(`\n### ${clients} client${clients === 1 ? '' : 's'}\n`);
  printTable(
    ['Target', 'req/s', 'of the pipe', 'of thv', 'p50 ms', 'p99 ms', 'CPU µs a call', 'RSS MB'],
    rows.map((row) => [
      row.name,
      row.requestsPerSecond.toFixed(0),
      // A proxy with checks is compared with one that does the same.
      ...[PIPE, row.name.endsWith(CHECKED) ? `thv${CHECKED}` : 'thv'].map((name) => ratio(row, name)),
      ...[row.p50, row.p99].map((ms) => ms.toFixed(2)),
      ...[row.cpu, row.rss].map((figure) => figure.toFixed(0)),
    ]),
  );
}

/** The limits: at least so many times the rate of another target. */
const LIMITS = [
  ['gatehouse', 0.9, PIPE],
  ['gatehouse', 1, 'thv'],
  ['gatehouse, stdio server', 1.3, 'thv'],
  ['gatehouse, stdio server', 2, 'mcp-proxy, stdio server'],
  [`gatehouse${CHECKED}`, 2, `thv${CHECKED}`],
];

function check(clients, rows) {
  const rate = (name) => rows.find((row) => row.name === name)?.requestsPerSecond ?? 0;
  for (const [name, factor, other] of LIMITS) {
    if (rate(name) >= factor * rate(other)) continue;
    console.error(`With ${clients} clients, ${name} is below ${factor} of ${other}.`);
    process.exitCode = 1;
  }
}

const targets = new Targets();
try {
  await targets.start({ peers: !options['skip-peers'] });
  // V8 compiles the code of a path during its first thousands of calls.
  const warmUp = Number(options['warm-up']);
  if (warmUp > 0) for (const target of targets.all) await drive(target, 16, 1, warmUp - 1);
  for (const clients of options.clients.split(',').map(Number)) {
    const rows = await measure(targets.all, clients);
    print(clients, rows);
    if (options.check) check(clients, rows);
  }
} finally {
  await targets.stop();
}
