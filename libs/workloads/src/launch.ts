import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { WorkloadFailure } from './failure.ts';
import type { Home } from './home.ts';
import { identify, isAlive, signal } from './process-identity.ts';
import type { WorkloadStore } from './store.ts';
import type { SupervisorMessage } from './supervisor.ts';

/** What {@link launch} needs. */
export interface LaunchOptions {
  readonly home: Home;
  /** See {@link homeIn}: the supervisor works out the same home from it. */
  readonly defaultFolder: string;
  readonly store: WorkloadStore;
  readonly name: string;
  readonly foreground: boolean;
  readonly progress: (text: string) => void;
  readonly abort: AbortSignal;
}

/** Another process has taken charge of the workload in the meantime. */
export class SupervisedElsewhere extends GatehouseError {
  override readonly code = 'supervised_elsewhere';
}

/** A workload that answers. */
export interface Launched {
  /** Resolves with the supervisor's exit code; only with `foreground`. */
  readonly ended: Promise<number>;
  /** Lets go of the supervisor, so that this process can exit. */
  readonly release: () => void;
  /** Asks the supervisor to stop and waits until it is gone. */
  readonly stop: () => Promise<void>;
}

/** What a supervisor may take to stop its server (10 s of grace) before it is killed. */
const STOP_MS = 20_000;

/** Ends a supervisor: SIGTERM, and SIGKILL when it does not leave in time. */
export async function endProcess(pid: number | undefined, gone: () => boolean): Promise<void> {
  const identity = pid === undefined ? undefined : identify(pid);
  if (identity === undefined) return;
  signal(identity, 'SIGTERM');
  const deadline = performance.now() + STOP_MS;
  while (!gone() && isAlive(identity)) {
    if (performance.now() > deadline) signal(identity, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Starts the supervisor in a session of its own, with its output in the workload's proxy log. */
function start({ home, defaultFolder, store, name, foreground }: LaunchOptions): ChildProcess {
  const log = openSync(store.proxyLog(name), 'a', 0o600);
  try {
    const entry = fileURLToPath(import.meta.resolve('@gatehouse/workloads/supervise'));
    return spawn(process.execPath, [entry, home.folder, defaultFolder, name, ...(foreground ? ['foreground'] : [])], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    closeSync(log);
  }
}

/** Starts a supervisor that nobody waits for. */
export function launchAndForget(options: Omit<LaunchOptions, 'progress' | 'abort' | 'foreground'>): void {
  const child = start({
    ...options,
    foreground: false,
    progress: () => undefined,
    abort: new AbortController().signal,
  });
  child.on('error', () => undefined);
  child.disconnect();
  child.unref();
}

/**
 * Starts a workload's supervisor and waits until the server answers.
 * @throws WorkloadFailure with what the supervisor reported; the abort reason when aborted. The
 * supervisor is gone then.
 */
export async function launch(options: LaunchOptions): Promise<Launched> {
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
        else if (message.kind === 'elsewhere') reject(new SupervisedElsewhere());
        else {
          const { code, message: text, tryNext, excerpt } = message.failure;
          reject(new WorkloadFailure(code, text, tryNext, undefined, excerpt));
        }
      });
      void ended.then((code) => {
        const log = `gatehouse logs ${options.name} --proxy   shows its log`;
        reject(
          new WorkloadFailure('failed', `The proxy of ${options.name} ended with code ${code} before it was ready`, [
            log,
          ]),
        );
      });
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
