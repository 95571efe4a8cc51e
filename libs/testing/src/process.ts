import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder, repositoryRoot } from './cache.ts';

/** A process to start, and its test for readiness. */
export interface ProcessRequest {
  /** An app in apps/, whose bundle or built `dist/main.js` is started. Alternative to `command`. */
  app?: string;
  /** Program and arguments instead of an app. */
  command?: readonly [string, ...string[]];
  args?: readonly string[];
  /**
   * Environment of the process. From this process it inherits only PATH and HOME, so that no
   * setting of the machine has an effect.
   */
  env?: Record<string, string>;
  cwd?: string;
  /** Polled until the status is below 400. Without it the process counts as ready at once. */
  readyUrl?: string;
  /**
   * The time limit for readiness, default 60,000 ms. A start takes seconds, and much longer on a
   * busy machine.
   */
  readyTimeoutMs?: number;
}

/**
 * Environment with a cache of compiled modules, which all processes of this repository share. A
 * service loads a thousand modules; the cache saves a tenth to a quarter of the CPU time of its
 * start.
 */
export const compileCache = { NODE_COMPILE_CACHE: cacheFolder('compiled') };

/** A running process of a test. */
export interface TestProcess {
  readonly pid: number;
  /** The output up to now. */
  stdout(): string;
  stderr(): string;
  /** The lines of stdout that are JSON objects: the log of a service. */
  logLines(): Record<string, unknown>[];
  /** Writes to its standard input. */
  write(text: string): void;
  /** Closes its standard input. */
  endInput(): void;
  /** Resolves with code and signal when the process has ended. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends SIGTERM and waits, with SIGKILL after 10 s. Resolves with code and signal. */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends SIGKILL and waits. */
  killHard(): Promise<void>;
  /** Sends any other signal. */
  signal(signal: NodeJS.Signals): void;
  [Symbol.asyncDispose](): Promise<void>;
}

const living = new Set<ChildProcess>();

const killAll = (): void => {
  for (const child of living) child.kill('SIGKILL');
};

// Processes that a test did not stop end with its test file. Jest gives test files their own
// process object, which never emits `exit`, so an `afterAll` hook is needed. Outside Jest
// (benchmarks) the exit of the process ends them.
(globalThis as { afterAll?: (hook: () => void) => void }).afterAll?.(killAll);
process.once('exit', killAll);

/**
 * Starts an app of this repository, or any program, and waits until it is ready. Use `await using
 * service = await startProcess(…)`, or call `stop()`. Processes that remain are killed when the
 * test process ends.
 * @throws {Error} with the whole output, when it ends or does not become ready in time
 */
export async function startProcess(request: ProcessRequest): Promise<TestProcess> {
  const [program, ...leading] = request.command ?? [process.execPath, findMainFile(request)];
  const child = spawn(program, [...leading, ...(request.args ?? [])], {
    cwd: request.cwd ?? repositoryRoot,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...(request.app === undefined ? {} : { EXIT_WITH_PARENT: 'true', ...compileCache }),
      ...request.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  living.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  child.stdin.on('error', () => undefined);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((settle) => {
    child.once('close', (code, signal) => settle({ code, signal }));
    child.once('error', (error) => {
      output.stderr += error.message;
      settle({ code: null, signal: null });
    });
  }).finally(() => living.delete(child));

  const stop = async (): Promise<{ code: number | null; signal: NodeJS.Signals | null }> => {
    child.kill('SIGTERM');
    const hard = setTimeout(() => child.kill('SIGKILL'), 10_000);
    const end = await exited;
    clearTimeout(hard);
    return end;
  };
  const killHard = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  if (request.readyUrl !== undefined) {
    try {
      await waitUntilReady(request.readyUrl, request.readyTimeoutMs ?? 60_000, exited);
    } catch (error) {
      await killHard();
      throw new Error(`${(error as Error).message}\nstdout:\n${output.stdout}\nstderr:\n${output.stderr}`, {
        cause: error,
      });
    }
  }
  return {
    pid: child.pid!,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    logLines: () => output.stdout.split('\n').flatMap(parseObject),
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    exited,
    stop,
    killHard,
    signal: (signal) => void child.kill(signal),
    [Symbol.asyncDispose]: killHard,
  };
}

function findMainFile({ app }: ProcessRequest): string {
  if (app === undefined) throw new Error('Name an app or a command to start.');
  const dist = join(repositoryRoot, 'apps', app, 'dist');
  const bundled = join(dist, 'bundle', 'main.js');
  return existsSync(bundled) ? bundled : join(dist, 'main.js');
}

async function waitUntilReady(url: string, timeoutMs: number, exited: Promise<unknown>): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let last = 'no response';
  const state = { ended: false };
  void exited.then(() => (state.ended = true));
  while (Date.now() < deadline) {
    if (state.ended) throw new Error('The process ended before it was ready.');
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      const body = await response.text();
      if (response.status < 400) return;
      last = `status ${response.status}: ${body.slice(0, 200)}`;
    } catch (error) {
      last = String((error as Error).cause ?? error);
    }
    await sleep(25);
  }
  throw new Error(`${url} was not ready within ${timeoutMs} ms (${last}).`);
}

function parseObject(line: string): Record<string, unknown>[] {
  if (!line.startsWith('{')) return [];
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}

/** Runs a program to its end and returns its output. */
export async function runProcess(
  request: Omit<ProcessRequest, 'readyUrl' | 'readyTimeoutMs'> & { input?: string },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const running = await startProcess(request);
  if (request.input !== undefined) running.write(request.input);
  running.endInput();
  const { code } = await running.exited;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}
