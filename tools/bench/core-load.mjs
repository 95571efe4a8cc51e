import autocannon from 'autocannon';
import { busySeconds, checkRate, cpuSeconds } from './core-share.mjs';
import { median } from './statistics.mjs';
import { percent, printTable } from './table.mjs';

/** Duration of the first round, which is not measured. */
const WARM_UP_SECONDS = 2;

/**
 * Loads services on one core in turns.
 * @param targets by name: `pid`, `isExpected(result)`, and the options of autocannon
 * @returns by name, for each round: `rate`, `p99` in milliseconds, CPU microseconds of a call
 * (`micros`), and the share of `others` on the core
 */
export async function loadInTurns(targets, { core, rounds, seconds }) {
  const results = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, target] of Object.entries(targets)) {
      const measured = await load(name, core, { ...target, duration: round === 0 ? WARM_UP_SECONDS : seconds });
      if (round > 0) results[name].push(measured);
    }
  return results;
}

async function load(name, core, { pid, isExpected, ...options }) {
  const [before, busyBefore, begun] = [cpuSeconds(pid), busySeconds([core]), performance.now()];
  const result = await autocannon(options);
  if (result.errors > 0 || !isExpected(result))
    throw new Error(`${name}: ${result['2xx']} served, ${result.non2xx} refused, ${result.errors} failed`);
  const used = cpuSeconds(pid) - before;
  const elapsed = (performance.now() - begun) / 1_000;
  const others = Math.max(0, (busySeconds([core]) - busyBefore - used) / elapsed);
  const micros = (used / result.requests.total) * 1e6;
  return { rate: result.requests.average, p99: result.latency.p99, micros, others };
}

/** Prints the medians of all targets beside those of the target `bare`. */
export function printLoads(title, results, bare) {
  const middle = (name, field) => median(results[name].map((one) => one[field]));
  printTable(
    [title, 'requests/s', 'ratio to bare', 'p99 ms', 'CPU µs a call', 'a core could do', 'others on the core'],
    Object.keys(results).map((name) => {
      const [rate, micros] = [middle(name, 'rate'), middle(name, 'micros')];
      const ratio = (rate / middle(bare, 'rate')).toFixed(2);
      const core = Math.round(1e6 / micros);
      return [
        name,
        Math.round(rate),
        ratio,
        middle(name, 'p99'),
        Math.round(micros),
        core,
        percent(middle(name, 'others')),
      ];
    }),
  );
}

/** Fails the run when the service is slower than `limit` operations a second on one core. */
export function checkLoad(name, rounds, limit, unit) {
  checkRate({ name, limit, unit, possible: 1e6 / median(rounds.map(({ micros }) => micros)), rounds });
}
