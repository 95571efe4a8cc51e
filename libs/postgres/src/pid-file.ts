import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The content of `postmaster.pid` in the data directory. */
export interface PidFile {
  pid: number;
  port: number;
  /** `starting`, `stopping`, `ready`, `standby`; empty at the beginning of a start. */
  status: string;
}

/** Reads the pid file of a data directory; undefined when it is missing or incomplete. */
export function readPidFile(dataDirectory: string): PidFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return undefined;
  return { pid, port, status: lines[7]?.trim() ?? '' };
}

/**
 * Whether this process is still the server of a data directory. A killed server leaves its file,
 * and a killed child stays a zombie until its parent waits for it.
 */
export function isRunning(dataDirectory: string, pid: number): boolean {
  return readPidFile(dataDirectory)?.pid === pid && isProcessAlive(pid);
}

/** Whether a process exists and is not a zombie. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return process.platform !== 'linux';
  }
}
