// Usage: node tools/bench/proxy-memory.mjs [--requests 1000000] [--check]
// Method and limits: docs/benchmarks.md#proxy.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Targets } from './proxy/targets.mjs';
import { printTable } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    check: { type: 'boolean', default: false },
  },
});
const run = promisify(execFile);
const driver = join(import.meta.dirname, 'proxy', 'driver.mjs');
const CLIENTS = 16;
const SECONDS = 10;
const TENTHS = 10;
/** The proxy may grow by this factor between the second and the last tenth of the requests. */
const MAX_GROWTH = 1.25;

/** Returns the memory (MB) of a proxy after each tenth of the requests. */
async function measure({ port, pid, headers }) {
  const memory = [];
  let sent = 0;
  while (memory.length < TENTHS) {
    const job = { port, clients: CLIENTS, pid, headers, seconds: SECONDS, warmUpSeconds: 0 };
    const { stdout } = await run('taskset', ['-c', '1', process.execPath, driver, JSON.stringify(job)]);
    const { requestsPerSecond, rssMegabytes } = JSON.parse(stdout);
    sent += requestsPerSecond * SECONDS;
    while (memory.length < TENTHS && sent >= ((memory.length + 1) * Number(options.requests)) / TENTHS)
      memory.push(rssMegabytes);
  }
  return memory;
}

const targets = new Targets();
try {
  await targets.start({ peers: false });
  const rows = [];
  for (const target of targets.all.filter(({ name }) => name.startsWith('gatehouse'))) {
    const memory = await measure(target);
    const growth = memory.at(-1) / memory[1];
    rows.push([target.name, ...[0, 1, 4, 9].map((at) => memory[at].toFixed(0)), growth.toFixed(2)]);
    if (!options.check || growth <= MAX_GROWTH) continue;
    console.error(`${target.name} grew by the factor ${growth.toFixed(2)}, more than ${MAX_GROWTH}.`);
    process.exitCode = 1;
  }
  printTable(['Target', ...[1, 2, 5, 10].map((tenth) => `MB after ${tenth}/10`), 'growth'], rows);
} finally {
  await targets.stop();
}
