import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type HomePaths, rotateLog } from './home.ts';
import type { ServiceName, ServiceProgram } from './services.ts';
import type { Child, Exit } from './supervisor.ts';

/** Loaded before the code of a program. It ends the program soon after the supervisor has ended. */
export const PARENT_GUARD = fileURLToPath(new URL('./parent-guard/main.js', import.meta.url));

/**
 * A small young generation saves a fifth of the memory of idle services, for a little more work
 * under load. The parent guard needs `gc`.
 */
const NODE_FLAGS = ['--max-semi-space-size=2', '--expose-gc'];
/**
 * Disables the optimising compilers. `--lite-mode` would disable WebAssembly, and so `fetch`, too.
 */
const SMALL_FLAGS = [
  '--max-semi-space-size=1',
  '--optimize-for-size',
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--expose-gc',
];
/** One memory pool for all threads of a process (glibc) instead of one for each thread. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '1' };

/** Returns the path of the log of a service. */
export function logFile(paths: HomePaths, service: string): string {
  return join(paths.logs, `${service}.log`);
}

/**
 * Starts a service in its own process group, so that Ctrl-C reaches only the supervisor, which
 * stops the services in order. The service writes to the log file directly, because a pipe would
 * break with the end of the supervisor.
 */
export function launchService(name: ServiceName, program: ServiceProgram, paths: HomePaths): Child {
  const file = logFile(paths, name);
  rotateLog(file);
  const log = openSync(file, 'a', 0o600);
  try {
    const flags = program.small ? SMALL_FLAGS : NODE_FLAGS;
    const child = spawn(process.execPath, [...flags, '--import', PARENT_GUARD, program.main], {
      cwd: paths.home,
      env: { ...ALLOCATOR, ...program.env },
      stdio: ['ignore', log, log],
      detached: true,
    });
    const exited = new Promise<Exit>((resolve) => {
      child.once('error', () => resolve({ code: 127, signal: null }));
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    return { pid: child.pid ?? 0, exited, kill: (signal) => void child.kill(signal) };
  } finally {
    closeSync(log);
  }
}
