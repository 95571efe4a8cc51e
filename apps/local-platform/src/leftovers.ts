import { readdirSync, readFileSync } from 'node:fs';

/** A service of this home whose supervisor has ended. */
export interface Leftover {
  pid: number;
}

/** Milliseconds between two checks. */
const INTERVAL_MS = 100;
/** Services end within 5 s after their supervisor; this is a little more. */
const TIMEOUT_MS = 6000;

/** The processes of the system; tests use their own. */
export interface ProcessTable {
  /** Returns the environment of every readable process. */
  list(): { pid: number; environment: string[] }[];
  kill(pid: number): void;
  sleep(milliseconds: number): Promise<void>;
}

/**
 * Waits for the end of services that a killed supervisor of this home left, and kills the others,
 * because they use the ports of the new start. The caller holds the lock of the home, so no live
 * supervisor owns these services.
 */
export async function clearLeftovers(home: string, table: ProcessTable): Promise<void> {
  for (let waited = 0; waited < TIMEOUT_MS; waited += INTERVAL_MS) {
    if (findLeftovers(home, table).length === 0) return;
    await table.sleep(INTERVAL_MS);
  }
  for (const { pid } of findLeftovers(home, table)) table.kill(pid);
}

/** Returns the processes that a supervisor of this home started. Workloads are not among them. */
export function findLeftovers(home: string, table: ProcessTable): Leftover[] {
  return table
    .list()
    .filter(({ environment }) => environment.includes(`GATEHOUSE_HOME=${home}`))
    .filter(({ environment }) => environment.some((entry) => entry.startsWith('GATEHOUSE_PLATFORM_PID=')))
    .map(({ pid }) => ({ pid }));
}

/** The processes of this system, from /proc; empty on systems without /proc. */
export const systemProcesses: ProcessTable = {
  list: () => listProcessIds().flatMap((pid) => readEnvironment(pid) ?? []),
  kill: (pid) => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has just ended.
    }
  },
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Returns the command line of a process; undefined when it is not readable. */
export function readCommand(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

function listProcessIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function readEnvironment(pid: number): { pid: number; environment: string[] } | undefined {
  try {
    return { pid, environment: readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0') };
  } catch {
    return undefined;
  }
}
