import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { WorkloadError } from '../errors/workload-error.ts';
import type { StartedWorkload } from '../runtime/runtime.ts';
import type { Home } from '../state/home.ts';
import { identifyProcess, isAlive, sendSignal } from '../state/process-identity.ts';
import type { WorkloadStore } from '../state/store.ts';
import { createSupervisorEnvironment } from './config.ts';
import type { SupervisorMessage } from './supervisor.ts';

/** Options of {@link launch}. */
export interface LaunchOptions {
  readonly home: Home;
  /** See {@link getHome}. The supervisor computes the same home from it. */
  readonly defaultFolder: string;
  readonly store: WorkloadStore;
  readonly name: string;
  readonly foreground: boolean;
  /** Variables for the supervisor, besides those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly progress: (text: string) => void;
  readonly abort: AbortSignal;
}

/** Another command has started the workload at the same time. */
export class ConcurrentStartError extends GatehouseError {
  override readonly code = 'concurrent_start';
}

/** The supervisor ended without a report, for example because it was killed. */
export class SupervisorLostError extends WorkloadError {
  constructor(name: string, code: number) {
    super('failed', `The proxy of ${name} ended with code ${code} before it was ready`, [
      `gatehouse logs ${name} --proxy   shows its log`,
    ]);
  }
}

/** Time in which a supervisor must stop its server (10 s of grace) before it is killed. */
const STOP_TIMEOUT_MS = 20_000;

/** Ends a supervisor with SIGTERM, and with SIGKILL after {@link STOP_TIMEOUT_MS}. */
export async function endProcess(pid: number | undefined, hasEnded: () => boolean): Promise<void> {
  const identity = pid === undefined ? undefined : identifyProcess(pid);
  if (identity === undefined) return;
  sendSignal(identity, 'SIGTERM');
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (!hasEnded() && isAlive(identity)) {
    if (performance.now() > deadline) sendSignal(identity, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Starts the supervisor in its own session; its output goes to the proxy log of the workload. */
function start({ home, defaultFolder, store, name, foreground, variables }: LaunchOptions): ChildProcess {
  const log = openSync(store.getProxyLogPath(name), 'a', 0o600);
  try {
    const entry = fileURLToPath(import.meta.resolve('@gatehouse/workloads/supervise'));
    return spawn(process.execPath, [entry, home.folder, defaultFolder, name, ...(foreground ? ['foreground'] : [])], {
      cwd: '/',
      env: createSupervisorEnvironment(variables),
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    closeSync(log);
  }
}

/** Starts a supervisor and does not wait for it. */
export function launchDetached(options: Omit<LaunchOptions, 'progress' | 'abort' | 'foreground' | 'variables'>): void {
  const child = start({
    ...options,
    foreground: false,
    variables: {},
    progress: () => undefined,
    abort: new AbortController().signal,
  });
  child.on('error', () => undefined);
  child.disconnect();
  child.unref();
}

/**
 * Starts a workload's supervisor and waits until the server answers.
 * @throws the WorkloadError that the supervisor reported, or the abort reason. The supervisor has
 * ended then.
 */
export async function launch(options: LaunchOptions): Promise<StartedWorkload> {
  const child = start(options);
  let exited = false;
  const ended = new Promise<number>((resolve) => {
    child.on('exit', (code) => {
      exited = true;
      resolve(code ?? 1);
    });
  });
  const stop = () => endProcess(child.pid, () => exited);
  try {
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => reject(options.abort.reason as Error);
      options.abort.addEventListener('abort', onAbort, { once: true });
      child.on('error', reject);
      child.on('message', (message: SupervisorMessage) => {
        if (message.kind === 'progress') options.progress(message.text);
        else if (message.kind === 'ready') resolve();
        else if (message.kind === 'already-supervised') reject(new ConcurrentStartError());
        else {
          const { code, message: text, tryNext, excerpt } = message.failure;
          reject(new WorkloadError(code, text, tryNext, undefined, excerpt));
        }
      });
      void ended.then((code) => reject(new SupervisorLostError(options.name, code)));
      if (options.abort.aborted) onAbort();
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ended,
    release: () => {
      if (child.connected) child.disconnect();
      child.unref();
    },
    stop,
  };
}
