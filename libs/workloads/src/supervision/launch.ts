import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { ChildProcess } from 'node:child_process';
import { WorkloadError } from '../errors/workload-error.ts';
import type { StartedWorkload } from '../runtime/runtime.ts';
import type { Home } from '../state/home.ts';
import { identifyProcess, isAlive, type ProcessIdentity, sendSignal } from '../state/process-identity.ts';
import { spawnSupervisor, takeSupervisor } from './supervisor-process.ts';
import { ACKNOWLEDGEMENT, type SupervisorTask } from './supervisor-task.ts';
import type { SupervisorMessage } from './supervisor.ts';

/** Options of {@link launch}. */
export interface LaunchOptions {
  readonly home: Home;
  /** See {@link getHome}. The supervisor computes the same home from it. */
  readonly defaultFolder: string;
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

/** Ends the supervisor of a workload, unless it has ended. */
export async function endSupervisor(supervisor: ProcessIdentity | undefined): Promise<void> {
  if (supervisor?.pid !== process.pid && isAlive(supervisor))
    await endProcess(supervisor?.pid, () => !isAlive(supervisor));
}

/** Starts a supervisor and does not wait for it. */
export function launchDetached({
  home,
  defaultFolder,
  name,
}: Pick<LaunchOptions, 'home' | 'defaultFolder' | 'name'>): void {
  const child = spawnSupervisor({ folder: home.folder, defaultFolder }, name);
  child.on('error', () => undefined);
  child.disconnect();
  child.unref();
}

/** Gives the workload to its supervisor. A supervisor that has ended meanwhile reports its exit. */
function start({ home: { folder }, defaultFolder, name, foreground, variables }: LaunchOptions): ChildProcess {
  const child = takeSupervisor({ folder, defaultFolder });
  const task: SupervisorTask = { folder, defaultFolder, name, foreground, variables };
  child.send(task, () => undefined);
  return child;
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
        else if (message.kind === 'ready') {
          child.send(ACKNOWLEDGEMENT, () => undefined);
          resolve();
        } else if (message.kind === 'already-supervised') reject(new ConcurrentStartError());
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
