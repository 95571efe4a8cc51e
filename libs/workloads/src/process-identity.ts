import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Names one process for good: a pid alone comes back for another process after a while, or after a
 * reboot.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * What tells this process from another with its pid: boot id and start tick on Linux, start time
   * elsewhere.
   */
  readonly started: string;
}

/** When a live process was started; undefined when there is none (a zombie is none). */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field (the command) is in parentheses and may itself hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19] ?? ''}`;
  } catch {
    return undefined;
  }
}

/** The identity of a process that runs now; undefined when there is none with that pid. */
export function identify(pid: number): ProcessIdentity | undefined {
  const started = startOf(pid);
  return started === undefined ? undefined : { pid, started };
}

/** Whether exactly that process still runs. */
export function isAlive(identity: ProcessIdentity | undefined): boolean {
  return identity !== undefined && startOf(identity.pid) === identity.started;
}

/** Sends a signal to exactly that process; false when it is gone. */
export function signal(identity: ProcessIdentity | undefined, name: 'SIGTERM' | 'SIGKILL'): boolean {
  if (identity === undefined || !isAlive(identity)) return false;
  try {
    process.kill(identity.pid, name);
    return true;
  } catch {
    return false;
  }
}
