import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type HomePaths, rotateLog } from './home.ts';
import type { ServiceName, ServiceProgram } from './services.ts';
import type { Child, Exit } from './supervisor.ts';

/** Runs before a service's own code: ends it for certain soon after the supervisor is gone. */
const PARENT_GUARD = fileURLToPath(new URL('./parent-guard/main.js', import.meta.url));

/**
 * A small young generation: idle services together then need a fifth less memory, for a little more
 * work under load. `gc` is for the parent guard.
 */
const NODE_FLAGS = ['--max-semi-space-size=2', '--expose-gc'];
/**
 * Without the compilers that make hot code fast. Not `--lite-mode`, which takes WebAssembly away
 * and `fetch` with it.
 */
const SMALL_FLAGS = [
  '--max-semi-space-size=1',
  '--optimize-for-size',
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--expose-gc',
];
/**
 * One pool of memory for all threads of a process (glibc), instead of one for each that ever
 * allocated something.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '1' };

/** The log of a service. */
export function logFile(paths: HomePaths, service: string): string {
  return join(paths.logs, `${service}.log`);
}

/**
 * Starts a service in a process group of its own, so that Ctrl-C in the terminal reaches the
 * supervisor alone and it can stop everything in order. Output goes straight to the log file: a
 * supervisor that dies leaves no broken pipe behind.
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
