import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * How much of some cores others had: other programs, and what the host took away. This process, some more and what those have started are not others.
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

/** Seconds: the clock, what the cores were busy or taken away, what the processes and their children have used. */
function look(cores, pids) {
  const lines = readFileSync('/proc/stat', 'utf8').split('\n');
  const busy = cores.map((core) => {
    const line = lines.find((text) => text.startsWith(`cpu${core} `)) ?? '';
    const [user, nice, system, , , irq, softirq, steal] = line.split(/ +/).slice(1).map(Number);
    return (user + nice + system + irq + softirq + steal) / 100;
  });
  const roots = [process.pid, ...pids];
  const own = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => [Number(pid), statOf(pid)])
    .filter(([pid, fields]) => roots.includes(pid) || roots.includes(Number(fields[1])))
    .map(([, fields]) => (Number(fields[11]) + Number(fields[12])) / 100);
  return [performance.now() / 1_000, ...[busy, own].map((list) => list.reduce((sum, one) => sum + one, 0))];
}

/** The fields of a process from its state on; none once it has ended. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  }
}
