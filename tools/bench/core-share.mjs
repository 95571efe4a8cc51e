import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * How much of some cores others had: other programs, and what the host took away. This process,
 * some more and what those have started are not others.
 * @returns asks for the share since it was asked last
 */
export function shareOfOthers(cores, pids) {
  let last = look(cores, pids);
  return () => {
    const now = look(cores, pids);
    const [passed, busy, own] = now.map((value, at) => value - last[at]);
    last = now;
    return Math.max(0, (busy - own) / (passed * cores.length));
  };
}

/** The cores that this process may run on. */
export function ownCores() {
  const [, list] = /: (.*)$/m.exec(execFileSync('taskset', ['-pc', String(process.pid)], { encoding: 'utf8' })) ?? [];
  return list.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

/** Ties a process, its threads, and what it will start to some cores. */
export function tie(pid, cores) {
  const { status } = spawnSync('taskset', ['-a', '-p', '-c', cores.join(','), String(pid)]);
  if (status !== 0) throw new Error(`process ${pid} could not be tied to the cores ${cores.join(', ')}`);
}

/**
 * Time that cores were not idle, for whomever, and time that the host took from them, in seconds.
 */
export function busySeconds(cores) {
  const lines = readFileSync('/proc/stat', 'utf8').split('\n');
  return cores.reduce((total, core) => {
    const line = lines.find((text) => text.startsWith(`cpu${core} `)) ?? '';
    const [user, nice, system, , , irq, softirq, steal] = line.split(/ +/).slice(1).map(Number);
    return total + (user + nice + system + irq + softirq + steal) / 100;
  }, 0);
}

/** CPU time that a process has used with all of its threads, in seconds. */
export const cpuSeconds = (pid) => usedBy(statOf(pid));

/** The same of a server with its processes. Of those that have ended it knows itself. */
export function serverSeconds(pid) {
  const children = processes().filter(([, fields]) => Number(fields[1]) === pid);
  const own = statOf(pid);
  return usedBy(own) + usedByEnded(own) + sum(children.map(([, fields]) => usedBy(fields)));
}

/**
 * Seconds: the clock, what the cores were busy or taken away, what the processes and their children
 * have used.
 */
function look(cores, pids) {
  const all = new Map(processes());
  const roots = new Set([process.pid, ...pids]);
  const isOwn = (pid) => roots.has(pid) || (all.has(pid) && isOwn(Number(all.get(pid)[1])));
  const own = [...all].filter(([pid]) => isOwn(pid));
  return [
    performance.now() / 1_000,
    busySeconds(cores),
    sum(own.map(([, fields]) => usedBy(fields) + usedByEnded(fields))),
  ];
}

const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [Number(pid), statOf(pid)]);

const usedBy = (fields) => (Number(fields[11]) + Number(fields[12])) / 100;

/** What its children had used that have ended. */
const usedByEnded = (fields) => (Number(fields[13]) + Number(fields[14])) / 100;

const sum = (list) => list.reduce((total, one) => total + one, 0);

/** The one in the middle. */
export const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];

/** The fields of a process from its state on; zeros once it has ended. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return Array(15).fill(0);
  }
}
