import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { median, sum } from './statistics.mjs';

/** Others may have this share of the cores in a round that is judged by the clock too. */
const QUIET_SHARE = 0.1;

/**
 * Measures the share of cores that others had: other programs and the host. This process, the
 * processes `pids` and their children are not others.
 * @returns a function that returns the share since its last call
 */
export function startShareOfOthers(cores, pids) {
  let last = readUsage(cores, pids);
  return () => {
    const now = readUsage(cores, pids);
    const [elapsed, busy, own] = now.map((value, at) => value - last[at]);
    last = now;
    return Math.max(0, (busy - own) / (elapsed * cores.length));
  };
}

/**
 * Measures the CPU time of services, of Postgres with its processes, and of this driver.
 * @returns a function that returns the elapsed `seconds`, the CPU microseconds of `services`,
 * `server` and `driver` for each of `count` operations, and the share of `others`
 */
export function startCpuMeter(cores, { managers, postgres }) {
  const read = () => [
    sum(managers.map(({ child }) => cpuSeconds(child.pid))),
    serverSeconds(postgres.pid),
    cpuSeconds(process.pid),
  ];
  const [before, busyBefore, begun] = [read(), busySeconds(cores), performance.now()];
  return (count) => {
    const seconds = (performance.now() - begun) / 1_000;
    const used = read().map((value, at) => value - before[at]);
    const others = (busySeconds(cores) - busyBefore - sum(used)) / seconds / cores.length;
    const [services, server, driver] = used.map((value) => (value / count) * 1e6);
    return { seconds, services, server, driver, others: Math.max(0, others) };
  };
}

/**
 * Fails the run when a rate is below its limit: by CPU time, and by the clock in rounds in which
 * others had at most a tenth of the cores.
 * @param possible the rate that the CPU time allows
 * @param rounds `rate` and `others` of each round
 */
export function checkRate({ name, limit, unit, possible, rounds }) {
  const quiet = rounds.filter(({ others }) => others <= QUIET_SHARE).map(({ rate }) => rate);
  const rates = [['by CPU time', possible], ...(quiet.length > 0 ? [['by the clock', median(quiet)]] : [])];
  for (const [method, rate] of rates) {
    if (rate >= limit) continue;
    console.error(`${name}: ${Math.round(rate)} ${unit} a second ${method}, below the limit of ${limit}`);
    process.exitCode = 1;
  }
  console.log(`${name}: ${quiet.length} of ${rounds.length} rounds were judged by the clock too`);
}

/** Returns the cores that this process may run on. */
export function ownCores() {
  const [, list] = /: (.*)$/m.exec(execFileSync('taskset', ['-pc', String(process.pid)], { encoding: 'utf8' })) ?? [];
  return list.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/** Binds a process, its threads and its future children to some cores. */
export function bindToCores(pid, cores) {
  const { status } = spawnSync('taskset', ['-a', '-p', '-c', cores.join(','), String(pid)]);
  if (status !== 0) throw new Error(`process ${pid} could not be bound to the cores ${cores.join(', ')}`);
}

/** Returns the seconds that cores were busy or taken by the host since the start of the system. */
export function busySeconds(cores) {
  const lines = readFileSync('/proc/stat', 'utf8').split('\n');
  return cores.reduce((total, core) => {
    const line = lines.find((text) => text.startsWith(`cpu${core} `)) ?? '';
    const [user, nice, system, , , irq, softirq, steal] = line.split(/ +/).slice(1).map(Number);
    return total + (user + nice + system + irq + softirq + steal) / 100;
  }, 0);
}

/** Returns the resident memory of a process in MB. */
export function readResidentMb(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** Returns the CPU seconds of a process with all its threads. */
export const cpuSeconds = (pid) => getCpuSeconds(readStat(pid));

/** Returns the CPU seconds of a server with its running and ended child processes. */
export function serverSeconds(pid) {
  const children = processes().filter(([, fields]) => Number(fields[1]) === pid);
  const own = readStat(pid);
  return getCpuSeconds(own) + endedChildSeconds(own) + sum(children.map(([, fields]) => getCpuSeconds(fields)));
}

/**
 * Returns seconds: of the clock, busy time of the cores, CPU time of the processes and children.
 */
function readUsage(cores, pids) {
  const all = new Map(processes());
  const roots = new Set([process.pid, ...pids]);
  const isOwn = (pid) => roots.has(pid) || (all.has(pid) && isOwn(Number(all.get(pid)[1])));
  const own = [...all].filter(([pid]) => isOwn(pid));
  return [
    performance.now() / 1_000,
    busySeconds(cores),
    sum(own.map(([, fields]) => getCpuSeconds(fields) + endedChildSeconds(fields))),
  ];
}

const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [Number(pid), readStat(pid)]);

const getCpuSeconds = (fields) => (Number(fields[11]) + Number(fields[12])) / 100;

const endedChildSeconds = (fields) => (Number(fields[13]) + Number(fields[14])) / 100;

/** Returns the fields of /proc/<pid>/stat from the state on; zeros for an ended process. */
function readStat(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return Array(15).fill(0);
  }
}
