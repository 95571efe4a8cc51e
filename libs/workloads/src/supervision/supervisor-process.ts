import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createSupervisorEnvironment } from './config.ts';

/** The folders by which a supervisor finds its home. */
export interface HomeFolders {
  readonly folder: string;
  /** See getHome. */
  readonly defaultFolder: string;
}

/** The process that waits for the workload of this command. */
let prepared: ChildProcess | undefined;

/**
 * Starts a process in its own session, which opens the log of its workload itself.
 * @param name the workload; without it, the process waits for a task in a message
 */
export function spawnSupervisor({ folder, defaultFolder }: HomeFolders, name?: string): ChildProcess {
  const entry = fileURLToPath(import.meta.resolve('@gatehouse/workloads/supervise'));
  return spawn(process.execPath, [entry, folder, defaultFolder, ...(name === undefined ? [] : [name])], {
    cwd: '/',
    env: createSupervisorEnvironment(),
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/**
 * Starts the supervisor of a workload that a command is going to create, so that it loads its
 * modules meanwhile. Without a task it ends together with this process.
 */
export function prepareSupervisor(home: HomeFolders): void {
  const child = spawnSupervisor(home);
  child.on('error', () => undefined);
  child.unref();
  child.channel?.unref();
  prepared = child;
}

/** Returns the prepared supervisor, once, or a new one. Either waits for its task. */
export function takeSupervisor(home: HomeFolders): ChildProcess {
  const child = prepared;
  prepared = undefined;
  // A process that has ended is connected until its 'disconnect'.
  const isAlive = child?.connected === true && child.exitCode === null && child.signalCode === null;
  if (!isAlive) return spawnSupervisor(home);
  child.ref();
  child.channel?.ref();
  return child;
}
