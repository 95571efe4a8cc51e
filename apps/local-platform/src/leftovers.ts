import { readdirSync, readFileSync } from 'node:fs';

/** A service of this home whose supervisor is gone. */
export interface Leftover {
  pid: number;
}

/** Milliseconds between two looks. */
const INTERVAL = 100;
/** Services of a dead supervisor end by themselves within 5 s; this is a little more. */
const PATIENCE = 6000;

/** Where processes are seen and ended; the real one is the system. */
export interface ProcessTable {
  /** Environment of every process that may be looked at. */
  list(): { pid: number; environment: string[] }[];
  kill(pid: number): void;
  sleep(milliseconds: number): Promise<void>;
}

/**
 * Waits for the services that a killed supervisor of this home left behind, and ends those that do
 * not go by themselves: they hold the ports of the new start. Callers hold the lock of the home, so
 * every service found belongs to no live supervisor.
 */
export async function clearLeftovers(home: string, table: ProcessTable): Promise<void> {
  for (let waited = 0; waited < PATIENCE; waited += INTERVAL) {
    if (leftoversOf(home, table).length === 0) return;
    await table.sleep(INTERVAL);
  }
  for (const { pid } of leftoversOf(home, table)) table.kill(pid);
}

/**
 * Processes that a supervisor of this home started; workloads carry the home but no supervisor, and
 * are left alone.
 */
export function leftoversOf(home: string, table: ProcessTable): Leftover[] {
  return table
    .list()
    .filter(({ environment }) => environment.includes(`GATEHOUSE_HOME=${home}`))
    .filter(({ environment }) => environment.some((entry) => entry.startsWith('GATEHOUSE_PLATFORM_PID=')))
    .map(({ pid }) => ({ pid }));
}

/** The processes of this system, from /proc; empty where there is none. */
export const systemProcesses: ProcessTable = {
  list: () => pids().flatMap((pid) => environmentOf(pid) ?? []),
  kill: (pid) => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It went by itself in this moment.
    }
  },
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Command line of a process; undefined where it cannot be seen. */
export function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function environmentOf(pid: number): { pid: number; environment: string[] } | undefined {
  try {
    return { pid, environment: readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0') };
  } catch {
    return undefined;
  }
}
