import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies one process. A pid is not enough, because the system reuses it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Boot id and start tick on Linux, start time on other systems. */
  readonly started: string;
}

let bootId: string | undefined;

/** Returns the id of the boot of this machine, which runs as long as this process. Linux only. */
function readBootId(): string {
  bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return bootId;
}

/** Returns the start of a live process; undefined when there is none. A zombie is not alive. */
function getProcessStart(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the command, is in parentheses and can contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readBootId()}/${fields[19] ?? ''}`;
  } catch {
    return undefined;
  }
}

/** Returns the identity of a running process; undefined when there is none with that pid. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const started = getProcessStart(pid);
  return started === undefined ? undefined : { pid, started };
}

/** Whether the identified process still runs. */
export function isAlive(identity: ProcessIdentity | undefined): boolean {
  return identity !== undefined && getProcessStart(identity.pid) === identity.started;
}

/** Whether the machine has restarted since the process ran; false where that is not known. */
export function isOfEarlierBoot({ started }: ProcessIdentity): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return !started.startsWith(`${readBootId()}/`);
  } catch {
    return false;
  }
}

/** Sends a signal to the identified process; returns false when it has ended. */
export function sendSignal(identity: ProcessIdentity | undefined, name: 'SIGTERM' | 'SIGKILL'): boolean {
  if (identity === undefined || !isAlive(identity)) return false;
  try {
    process.kill(identity.pid, name);
    return true;
  } catch {
    return false;
  }
}
