import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder, repositoryRoot } from './cache.ts';

/** What to start and how to know that it is ready. */
export interface ProcessRequest {
  /** An app below apps/: its built `dist/main.js` is started. Or give `command`. */
  app?: string;
  /** Program and arguments instead of an app. */
  command?: readonly [string, ...string[]];
  args?: readonly string[];
  /**
   * Environment. Of this process's own variables only PATH and HOME go along, so that no setting of
   * the machine leaks in.
   */
  env?: Record<string, string>;
  cwd?: string;
  /**
   * Polled until it answers with a status below 400. Without it the process counts as ready at
   * once.
   */
  readyUrl?: string;
  /**
   * Longest wait for readiness, default 60,000 ms: a start takes seconds, and many times that where
   * others keep the cores busy.
   */
  readyTimeoutMs?: number;
}

/**
 * A service loads a thousand modules: kept in compiled form (by content, for every process of this
 * repository) they take it a quarter less of its start.
 */
const COMPILED = { NODE_COMPILE_CACHE: cacheFolder('compiled') };

/** A running process of a test. */
export interface TestProcess {
  readonly pid: number;
  /** Everything written so far. */
  stdout(): string;
  stderr(): string;
  /** Lines of stdout that are JSON objects: a service's log. */
  logLines(): Record<string, unknown>[];
  /** Writes to its standard input. */
  write(text: string): void;
  /** Closes its standard input. */
  endInput(): void;
  /** Resolves when it has ended, with code and signal. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** SIGTERM, then waits; SIGKILL after 10 s. Returns how it ended. */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** `kill -9`, then waits. */
  killHard(): Promise<void>;
  /** Sends any other signal. */
  signal(signal: NodeJS.Signals): void;
  [Symbol.asyncDispose](): Promise<void>;
}

const living = new Set<ChildProcess>();

const killAll = (): void => {
  for (const child of living) child.kill('SIGKILL');
};

// Whatever a test forgot, or could not reach after a failure, ends with its test file. Jest gives
// test files a process object of their own, on which `exit` never fires, so that its hook is
// needed; outside of Jest (benchmarks) the exit of the process does it.
(globalThis as { afterAll?: (hook: () => void) => void }).afterAll?.(killAll);
process.once('exit', killAll);

/**
 * Starts an app of this repository, or any program, and waits until it is ready. Use `await using
 * service = await startProcess(…)`, or call `stop()`; what is left over is killed when the test
 * process ends.
 * @throws {Error} with everything it wrote, when it ends or does not get ready in time
 */
export async function startProcess(request: ProcessRequest): Promise<TestProcess> {
  const [program, ...leading] = request.command ?? [process.execPath, mainOf(request)];
  const child = spawn(program, [...leading, ...(request.args ?? [])], {
    cwd: request.cwd ?? repositoryRoot,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...(request.app === undefined ? {} : { EXIT_WITH_PARENT: 'true', ...COMPILED }),
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
      await untilReady(request.readyUrl, request.readyTimeoutMs ?? 60_000, exited);
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

function mainOf({ app }: ProcessRequest): string {
  if (app === undefined) throw new Error('Name an app or a command to start.');
  return join(repositoryRoot, 'apps', app, 'dist', 'main.js');
}

async function untilReady(url: string, timeoutMs: number, exited: Promise<unknown>): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let last = 'nothing answered';
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

/** Runs a program to its end: for commands that answer and exit. */
export async function runProcess(
  request: Omit<ProcessRequest, 'readyUrl' | 'readyTimeoutMs'> & { input?: string },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const running = await startProcess(request);
  if (request.input !== undefined) running.write(request.input);
  running.endInput();
  const { code } = await running.exited;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}
