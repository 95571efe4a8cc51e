// Usage: node tools/bench/cli-start.mjs [rounds]
// Method: docs/benchmarks.md#start-of-the-command-line. Needs built projects.
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { installCommandLine } from './installed-cli.mjs';
import { median } from './statistics.mjs';
import { printTable } from './table.mjs';

const rounds = Number(process.argv[2] ?? 21);
const { program, env, remove } = installCommandLine();
const commands = {
  'node -e 0': ['-e', '0'],
  'gatehouse --version': [program, '--version'],
  'gatehouse version': [program, 'version'],
  'gatehouse list': [program, 'list'],
};
const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
const load = loadavg()[0].toFixed(1);
try {
  // The first round fills the cache of compiled code and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      const began = performance.now();
      const { status } = spawnSync(process.execPath, args, { env, stdio: 'ignore' });
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      if (round > 0) times[name].push(performance.now() - began);
    }
  }
} finally {
  remove();
}
console.log(`Load average ${load} before, ${loadavg()[0].toFixed(1)} after the run; ${rounds} rounds.\n`);
const rows = Object.entries(times).map(([name, list]) => [
  `\`${name}\``,
  Math.min(...list).toFixed(0),
  median(list).toFixed(0),
]);
printTable(['Command', 'fastest ms', 'median ms'], rows);
