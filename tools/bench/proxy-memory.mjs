// Usage: node tools/bench/proxy-memory.mjs [--requests 1000000] [--only NAME] [--check]
// Method and limits: docs/benchmarks.md#proxy.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Targets } from './proxy/targets.mjs';
import { printTable } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});
const run = promisify(execFile);
const driver = join(import.meta.dirname, 'proxy', 'driver.mjs');
const MB = 1024 * 1024;
const CLIENTS = 16;
/** The shares of the requests after which the garbage is collected and the memory is read. */
const SHARES = [0.2, 0.5, 1];
/** The live bytes may grow by so many MB between the first and the last collection. */
const MAX_LIVE_GROWTH = 4;
/** The resident memory after a collection may grow by this factor. */
const MAX_RESIDENT_GROWTH = 1.15;

/**
 * Reads the memory (MB) of a proxy after each share of the requests: the resident one before a
 * collection, and live and resident bytes after it. Each share has its own sessions, which stay.
 */
async function measure({ port, pid, headers, collect }) {
  const readings = [];
  let sent = 0;
  for (const share of SHARES) {
    const requests = Math.round(share * Number(options.requests)) - sent;
    const job = JSON.stringify({ port, clients: CLIENTS, pid, headers, requests });
    const { stdout } = await run('taskset', ['-c', '1', process.execPath, driver, job]);
    sent += requests;
    const { live, resident } = await collect();
    readings.push({ before: JSON.parse(stdout).rssMegabytes, live: live / MB, resident: resident / MB });
  }
  return readings;
}

function check(name, first, last) {
  const [liveGrowth, residentGrowth] = [last.live - first.live, last.resident / first.resident];
  if (liveGrowth > MAX_LIVE_GROWTH)
    console.error(`The live memory of ${name} grew by ${liveGrowth.toFixed(1)} MB, more than ${MAX_LIVE_GROWTH}.`);
  if (residentGrowth > MAX_RESIDENT_GROWTH)
    console.error(`${name} grew by the factor ${residentGrowth.toFixed(2)}, more than ${MAX_RESIDENT_GROWTH}.`);
  if (liveGrowth > MAX_LIVE_GROWTH || residentGrowth > MAX_RESIDENT_GROWTH) process.exitCode = 1;
}

const isMeasured = ({ name }) => name.startsWith('gatehouse') && (options.only ?? name) === name;
const targets = new Targets();
try {
  await targets.start({ peers: false });
  const rows = [];
  for (const target of targets.all.filter(isMeasured)) {
    const readings = await measure(target);
    const of = (key, digits) => readings.map((reading) => reading[key].toFixed(digits));
    rows.push([target.name, ...of('live', 1), ...of('resident', 0), ...of('before', 0)]);
    if (options.check) check(target.name, readings[0], readings.at(-1));
  }
  const after = SHARES.map((share) => `${share * 10}/10`);
  printTable(
    ['Target', ...['live', 'resident', 'before'].flatMap((key) => after.map((share) => `${key} ${share}`))],
    rows,
  );
} finally {
  await targets.stop();
}
